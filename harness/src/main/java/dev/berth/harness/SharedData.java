package dev.berth.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Test data in the directory `shared` beside the repository: results that were recorded from
/// Kubernetes, and manifests of driver projects. Tests are skipped without it.
public final class SharedData {

    /// System property with the directory of the recorded results.
    private static final String CONFORMANCE = "berth.conformance";

    private SharedData() {}

    /// A file with recorded results; skips the test when there is none.
    public static Path conformance(String name) {
        var file = folder().map(folder -> folder.resolve(name)).filter(Files::exists);
        assumeTrue(file.isPresent(), () -> "there is no shared/conformance/" + name);
        return file.orElseThrow();
    }

    /// The lines of a file with recorded results, without blank ones.
    public static List<String> conformanceLines(String name) {
        try (var lines = Files.lines(conformance(name))) {
            return lines.filter(line -> !line.isBlank()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The directory of manifests that driver projects published; skips the test without it.
    public static Path driverManifests() {
        var folder =
                folder().map(one -> one.resolveSibling("data").resolve("driver-manifests"))
                        .filter(Files::isDirectory);
        assumeTrue(folder.isPresent(), "there is no shared/data/driver-manifests");
        return folder.orElseThrow();
    }

    private static Optional<Path> folder() {
        var named = Optional.ofNullable(System.getProperty(CONFORMANCE));
        return named.isPresent() ? named.map(Path::of) : besideTheRepository();
    }

    private static Optional<Path> besideTheRepository() {
        @Nullable Path at = Path.of("").toAbsolutePath();
        while (at != null) {
            var folder = at.resolve("shared").resolve("conformance");
            if (Files.isDirectory(folder)) {
                return Optional.of(folder);
            }
            at = at.getParent();
        }
        return Optional.empty();
    }
}
