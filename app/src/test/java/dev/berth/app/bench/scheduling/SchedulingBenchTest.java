package dev.berth.app.bench.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.bench.BenchCommand;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.server.ServerSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Benchmarks of a cluster in this process and of a cluster with a kubeconfig.
class SchedulingBenchTest {

    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");
    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);

    @Test
    void shapesRunInSequenceAndFailuresAreReported(@TempDir Path directory) {
        var settings = ServerSettings.in(directory).withAddress("127.0.0.1", 0);
        var out = new StringWriter();
        try (var whole =
                EmbeddedBerth.start(
                        EmbeddedOptions.of(settings).withScheduler(SchedulerOptions.defaults()))) {
            var cluster = whole.cluster("test");
            leaveObjects(cluster);

            var code = bench(whole, out);

            assertThat(code).isOne();
            assertThat(cluster.send(new Request.Get(NAMESPACES, "", ClusterSetup.NAMESPACE)))
                    .isInstanceOf(RequestResult.Missing.class);
            for (var kind :
                    List.of(NODES, ResourcePath.of(Kinds.RESOURCE_SLICE), ResourcePath.LEASES)) {
                assertThat(new BulkRequests(cluster).all(kind, ""))
                        .noneMatch(one -> ClusterSetup.name(one).startsWith("bench-"));
            }
        }
        var shapes = json(out.toString()).objects("shapes");
        assertThat(shapes.get(0).number("pods")).hasValue(12);
        assertThat(decimal(shapes.get(0), "apiServerCpuMillisPerPod")).isPositive();
        assertThat(decimal(shapes.get(0), "schedulerCpuMillisPerPod")).isPositive();
        assertThat(shapes.get(1).text("error"))
                .isEqualTo(
                        "podgroups: the cluster leaves out spec.resourceClaims; turn on the gate "
                                + "that it needs");
        assertThat(shapes.get(2).objectOrEmpty("podsPerSecond").items("seconds")).hasSize(1);
        assertThat(shapes.get(3).number("pods")).hasValue(12);
    }

    @Test
    void ourOwnServerKeepsAllThatShapesSend(@TempDir Path directory) {
        try (var own =
                BenchCluster.start(directory, FeatureGates.all(), SchedulerOptions.defaults())) {
            var sending = new BulkRequests(own.cluster("test"));
            for (var shape : WorkloadShapes.all()) {
                for (var slice : shape.hardware().apply(shape.name())) {
                    sending.createWhole(ResourcePath.of(Kinds.RESOURCE_SLICE), "", slice);
                }
                var claim =
                        JsonObject.of("metadata", JsonObject.of("name", Json.of(shape.name())))
                                .with("spec", JsonObject.of("devices", shape.devices()));
                sending.createWhole(ResourcePath.of(Kinds.RESOURCE_CLAIM), "default", claim);
            }
        }
    }

    /// Leaves objects as an interrupted run does.
    private static void leaveObjects(Cluster cluster) {
        var sending = new BulkRequests(cluster);
        sending.create(NAMESPACES, "", json("{\"metadata\":{\"name\":\"berth-bench\"}}"));
        sending.create(
                NODES,
                "",
                json(
                        """
                        {"metadata":{"name":"bench-99999","labels":{"berth-bench":"yes"}}}
                        """));
    }

    private static int bench(EmbeddedBerth whole, StringWriter out) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(
                        "scheduling",
                        "--kubeconfig=" + whole.server().kubeconfig(),
                        "--shape=burst,gang-shared,empty,shared",
                        "--nodes=4",
                        "--pods=12",
                        "--seconds=1",
                        "--scheduler-pid=" + ProcessHandle.current().pid(),
                        "--output=json");
    }

    private static double decimal(JsonObject object, String name) {
        return Double.parseDouble(JsonWriter.compact(object.memberOrNull(name)));
    }

    private static JsonObject json(String text) {
        if (JsonReader.read(text.getBytes(StandardCharsets.UTF_8))
                        instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + text);
    }
}
