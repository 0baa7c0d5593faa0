package dev.berth.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Seed inputs of a target: one per file, or one per line of files `*.lines`.
final class Seeds {

    private static final Path FOLDER = Path.of("src/test/resources/fuzz");

    private Seeds() {}

    static List<byte[]> of(String target) {
        var seeds = new ArrayList<byte[]>();
        try (var files = Files.list(FOLDER.resolve(target))) {
            for (var file : files.sorted().toList()) {
                if (file.toString().endsWith(".lines")) {
                    Files.readAllLines(file)
                            .forEach(line -> seeds.add(line.getBytes(StandardCharsets.UTF_8)));
                } else {
                    seeds.add(Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seeds;
    }
}
