package dev.berth.app.published;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.manifest.Manifest;
import dev.berth.app.scenario.ScenarioPreconditions;
import dev.berth.app.scenario.ScenarioRunner;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Published manifests on simulated hardware, each file on a cluster of its own.
class PublishedManifestsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Expectations expectations = Expectations.read();

    @TempDir private Path directory = Path.of("");

    @TestFactory
    Stream<DynamicTest> everythingIsPlacedOrHasAReason() {
        var published = PublishedManifests.find();
        return published.files().stream()
                .map(file -> DynamicTest.dynamicTest(file, () -> check(published, file)));
    }

    @Test
    void everyExceptionIsAboutAFileThatIsThere() {
        assertThat(PublishedManifests.find().files()).containsAll(expectations.files());
    }

    private void check(PublishedManifests published, String file) throws InterruptedException {
        var nodes = expectations.nodes(file);
        assertThat(nodes).as("expectations.yaml names nodes for this file").isPresent();
        var manifests = new ArrayList<Manifest>();
        for (var companion : expectations.companions(file)) {
            manifests.addAll(published.objects(companion));
        }
        manifests.addAll(published.objects(file));
        var expected = expected(file, manifests);
        var seen = trial(nodes.orElseThrow(), manifests, expected);
        var differences = new TreeMap<String, String>();
        seen.forEach((name, result) -> {
            var wanted = expected.getOrDefault(name, new ManifestResult.Placed());
            if (!result.meets(wanted)) {
                differences.put(name, "expected %s, is %s".formatted(wanted, result));
            }
        });
        expected.keySet().stream()
                .filter(name -> !seen.containsKey(name))
                .forEach(name -> differences.put(name, "is fine, or is not there"));
        assertThat(differences).isEmpty();
    }

    private Map<String, ManifestResult> expected(String file, List<Manifest> manifests) {
        var expected = new LinkedHashMap<String, ManifestResult>();
        for (var manifest : manifests) {
            var kind = manifest.apiVersion() + " " + manifest.kind();
            if (expectations.foreign(kind).isPresent()) {
                expected.put(
                        ManifestRun.name(ManifestRun.placed(manifest.object())),
                        new ManifestResult.Rejected("could not find the requested resource"));
            }
        }
        expected.putAll(expectations.exceptions(file));
        return expected;
    }

    private Map<String, ManifestResult> trial(
            String nodes, List<Manifest> manifests, Map<String, ManifestResult> expected)
            throws InterruptedException {
        try (var whole =
                        EmbeddedBerth.start(
                                EmbeddedOptions.inMemory(directory)
                                        .withNodes(nodes)
                                        .withSimulation(
                                                FleetOptions.defaults()
                                                        .withAttachDelay(Duration.ZERO)));
                var runner = new ScenarioRunner(whole.cluster("readiness"), TIMEOUT)) {
            assertThat(runner.awaitFleet(ScenarioPreconditions.of(whole.plan())))
                    .as("missing")
                    .isEmpty();
            return new ManifestRun(whole).run(manifests, seen -> isAsExpected(seen, expected));
        }
    }

    private static boolean isAsExpected(
            Map<String, ManifestResult> seen, Map<String, ManifestResult> expected) {
        return seen.keySet().containsAll(expected.keySet())
                && seen.entrySet().stream()
                        .allMatch(one ->
                                one.getValue()
                                        .meets(
                                                expected.getOrDefault(
                                                        one.getKey(),
                                                        new ManifestResult.Placed())));
    }
}
