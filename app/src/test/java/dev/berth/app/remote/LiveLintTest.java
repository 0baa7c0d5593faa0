package dev.berth.app.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.access.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Golden test of `lint --live`: each of `live/lint/*.yaml` has a mistake, `live/lint.txt` what is
/// printed for the cluster of `live/cluster.yaml`. `-Dgolden=update` writes that instead.
class LiveLintTest {

    private static final Path LIVE = Path.of("src", "test", "resources", "live");

    @TempDir private static Path directory;

    private static ApiServer server;

    @BeforeAll
    static void start() throws IOException {
        server = ApiServer.start(EmbeddedOptions.inMemory(directory).server());
        var text = Files.readString(LIVE.resolve("cluster.yaml"));
        if (!(YamlReader.read(text) instanceof ParseResult.Documents(var documents))) {
            throw new AssertionError("cluster.yaml cannot be parsed");
        }
        try (var cluster = new EmbeddedCluster(server, User.of("test", User.MASTERS), "test")) {
            for (var document : documents) {
                var object = (JsonObject) document.root();
                var namespace = object.objectOrEmpty("metadata").text("namespace");
                var result = cluster.send(Request.Create.of(resource(object), namespace, object));
                assertThat(result).isInstanceOf(RequestResult.Done.class);
            }
        }
    }

    private static ResourcePath resource(JsonObject object) {
        return Kinds.byApiVersionAndKind(object.text("apiVersion"), object.text("kind"))
                .<ResourcePath>map((Kind<?> kind) -> ResourcePath.of(kind))
                .orElseGet(() -> new ResourcePath("", "v1", "namespaces"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void mistakesAreFound() throws IOException {
        var files = LIVE.resolve("lint");
        var run =
                CommandRun.of(
                        "lint", "--kubeconfig", server.kubeconfig().toString(), files.toString());
        var actual =
                run.out().replace(files + "/", "") + "exit code %d%n".formatted(run.exitCode());
        var golden = LIVE.resolve("lint.txt");
        if ("update".equals(System.getProperty("golden"))) {
            Files.writeString(golden, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(golden));
    }

    @Test
    void findingsAreAvailableAsJson() {
        var file = LIVE.resolve("lint").resolve("unknown-class.yaml").toString();
        var kubeconfig = server.kubeconfig().toString();
        var run = CommandRun.of("lint", "--kubeconfig", kubeconfig, "-o", "json", file);
        var report = tree(run.out());
        assertThat(report.number("warnings")).hasValue(1);
        var finding = report.objects("findings").getFirst();
        assertThat(finding.text("severity")).isEqualTo("warning");
        assertThat(finding.number("line")).hasValue(10);
        assertThat(finding.text("message")).contains("there is no DeviceClass gpu.nvidia.co;");
    }

    private static JsonObject tree(String json) {
        return JsonReader.read(json).object().orElseThrow();
    }
}
