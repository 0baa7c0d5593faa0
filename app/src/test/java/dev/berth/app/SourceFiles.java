package dev.berth.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The files of the repository, without build output and packages of npm.
final class SourceFiles {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private SourceFiles() {}

    /// Files whose names end in `suffix`, sorted by path.
    static List<Path> withSuffix(String suffix) {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(file -> file.toString().endsWith(suffix))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> !file.toString().contains("/.git/"))
                    .filter(file -> !file.toString().contains("/node_modules/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The path below the root of the repository.
    static String relative(Path file) {
        return ROOT.relativize(file).toString();
    }
}
