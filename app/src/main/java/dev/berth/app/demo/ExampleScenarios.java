package dev.berth.app.demo;

import dev.berth.app.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the directory of the example scenarios.
final class ExampleScenarios {

    /// Environment variable with the path of the launcher.
    private static final String LAUNCHER = "BERTH_LAUNCHER";

    private static final String NAME = "examples";

    private ExampleScenarios() {}

    /// The given directory, or `examples` beside the launcher or in the working directory.
    static Optional<Path> find(Optional<Path> named) throws IOException {
        var candidates =
                named.map(Stream::of)
                        .orElseGet(() -> Stream.concat(besideLauncher(), Stream.of(Path.of(NAME))));
        for (var candidate : candidates.toList()) {
            if (hasScenarios(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private static Stream<Path> besideLauncher() {
        return Stream.ofNullable(System.getenv(LAUNCHER))
                .map(launcher -> Path.of(launcher).resolveSibling(NAME));
    }

    private static boolean hasScenarios(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (var folders = Files.list(directory)) {
            return folders.anyMatch(one -> Files.exists(one.resolve(ScenarioReader.EXPECTED)));
        }
    }
}
