package dev.berth.core.testkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Finds the recorded conformance cases of Kubernetes, if present.
public final class ConformanceCases {

    private static final String PROPERTY = "berth.conformance";
    private static final Path BESIDE_THE_REPOSITORY = Path.of("shared", "conformance");

    private ConformanceCases() {}

    /// The directory in the system property `berth.conformance`, or `shared/conformance` next to
    /// the repository, searched from the working directory upwards.
    public static Optional<Path> folder() {
        var named = Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
        if (named.isPresent()) {
            return named.filter(Files::isDirectory);
        }
        for (var at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            var folder = at.resolve(BESIDE_THE_REPOSITORY);
            if (Files.isDirectory(folder)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    /// The cases of the allocator.
    public static List<ConformanceCase> allocator(Path folder) throws IOException {
        try (var lines = Files.lines(folder.resolve("allocator.jsonl"))) {
            return lines.filter(line -> !line.isBlank()).map(ConformanceCase::of).toList();
        }
    }
}
