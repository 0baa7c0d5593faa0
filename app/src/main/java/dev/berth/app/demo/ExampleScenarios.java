package dev.berth.app.demo;

import dev.berth.app.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Where the scenarios are that come with Berth.
final class ExampleScenarios {

    /// The launcher tells where it is.
    private static final String LAUNCHER = "BERTH_LAUNCHER";

    private static final String NAME = "examples";

    private ExampleScenarios() {}

    /// The folder that somebody named; otherwise the one beside the launcher, or here.
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
