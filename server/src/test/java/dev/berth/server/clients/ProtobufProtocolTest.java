package dev.berth.server.clients;

import static dev.berth.schema.protobuf.ProtobufBytes.body;
import static dev.berth.schema.protobuf.ProtobufBytes.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.ProtobufBytes;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Writes in the protobuf encoding, with the bytes of client-go.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufProtocolTest {

    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String WEB = DEPLOYMENTS + "/web";

    private static final String STORED =
            """
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
             "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "web"}},
              "template": {"metadata": {"labels": {"app": "web"}},
               "spec": {
                "securityContext": {"runAsNonRoot": true},
                "affinity": {"nodeAffinity": {
                 "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                  {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}]}}},
                "volumes": [{"name": "scratch", "emptyDir": {}}],
                "containers": [{"name": "c", "image": "web:1",
                 "securityContext": {"readOnlyRootFilesystem": true,
                  "capabilities": {"drop": ["ALL"]}},
                 "volumeMounts": [{"name": "scratch", "mountPath": "/tmp"}],
                 "livenessProbe": {"httpGet": {"path": "/", "port": "http"},
                  "periodSeconds": 7}}]}}}}\
            """;

    private ApiServer server;
    private Http http;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    @BeforeEach
    void store() {
        http.delete(WEB, "");
        assertThat(http.post(DEPLOYMENTS, STORED).code()).isEqualTo(201);
    }

    private JsonObject podSpec() {
        return http.get(WEB)
                .json()
                .objectOrEmpty("spec")
                .objectOrEmpty("template")
                .objectOrEmpty("spec");
    }

    private static ProtobufBytes deployment(ProtobufBytes podSpec) {
        var labels = new ProtobufBytes().entry(1, "app", "web");
        var template =
                new ProtobufBytes()
                        .message(1, new ProtobufBytes().entry(11, "app", "web"))
                        .message(2, podSpec);
        var spec = new ProtobufBytes().number(1, 0).message(2, labels).message(3, template);
        return new ProtobufBytes()
                .message(1, metadata("web").entry(11, "tier", "front"))
                .message(2, spec);
    }

    /// The pod spec of the stored Deployment.
    private static ProtobufBytes samePodSpec() {
        var expression = new ProtobufBytes().text(1, "disk").text(2, "Exists");
        var term = new ProtobufBytes().message(1, expression);
        var nodeAffinity = new ProtobufBytes().message(1, new ProtobufBytes().message(1, term));
        var emptyDir = new ProtobufBytes().message(2, new ProtobufBytes().text(1, ""));
        var port = new ProtobufBytes().number(1, 1).number(2, 0).text(3, "http");
        var get = new ProtobufBytes().text(1, "/").message(2, port).text(3, "").text(4, "");
        var probe =
                new ProtobufBytes()
                        .message(1, new ProtobufBytes().message(2, get))
                        .number(2, 0)
                        .number(3, 0)
                        .number(4, 7)
                        .number(5, 0)
                        .number(6, 0);
        var mount = new ProtobufBytes().text(1, "scratch").flag(2, false).text(3, "/tmp");
        var security =
                new ProtobufBytes().message(1, new ProtobufBytes().text(2, "ALL")).flag(6, true);
        var container =
                new ProtobufBytes()
                        .text(1, "c")
                        .text(2, "web:1")
                        .message(8, new ProtobufBytes())
                        .message(9, mount)
                        .message(10, probe)
                        .message(15, security)
                        .flag(16, false);
        return new ProtobufBytes()
                .message(1, new ProtobufBytes().text(1, "scratch").message(2, emptyDir))
                .message(2, container)
                .message(14, new ProtobufBytes().flag(3, true))
                .message(18, new ProtobufBytes().message(1, nodeAffinity));
    }

    @Test
    void updateThatAddsALabelKeepsAllOtherFields() {
        var before = podSpec();
        var response =
                http.sendProtobuf(
                        "PUT", WEB, body("apps/v1", "Deployment", deployment(samePodSpec())));
        assertThat(response.code()).as(response.text()).isEqualTo(200);
        assertThat(response.metadata().objectOrEmpty("labels").text("tier")).isEqualTo("front");
        assertThat(podSpec()).isEqualTo(before);
    }

    @Test
    void fieldWithAnUnknownNumberIsSkippedAndCounted() {
        var before = podSpec();
        var unknown = samePodSpec().text(7_777, "x");
        var response =
                http.sendProtobuf("PUT", WEB, body("apps/v1", "Deployment", deployment(unknown)));
        assertThat(response.code()).as(response.text()).isEqualTo(200);
        assertThat(podSpec()).isEqualTo(before);
        assertThat(http.get("/metrics").text())
                .containsPattern("(?m)^berth_apiserver_protobuf_unknown_fields_total [1-9]");
    }

    @Test
    void deletionAcceptsOptionsOfItsGroup() {
        var options = new ProtobufBytes().text(4, "Background");
        var response = http.sendProtobuf("DELETE", WEB, body("apps/v1", "DeleteOptions", options));
        assertThat(response.code()).as(response.text()).isEqualTo(200);
        assertThat(http.get(WEB).code()).isEqualTo(404);
    }

    @Test
    void managedFieldsAreDecoded() {
        var fields = new ProtobufBytes().text(1, "{\"f:metadata\":{\"f:labels\":{}}}");
        var entry =
                new ProtobufBytes()
                        .text(1, "controller")
                        .text(2, "Update")
                        .text(3, "apps/v1")
                        .message(4, new ProtobufBytes().number(1, 1_700_000_000).number(2, 0))
                        .text(6, "FieldsV1")
                        .message(7, fields)
                        .text(8, "");
        var object = deployment(samePodSpec()).message(1, new ProtobufBytes().message(17, entry));
        var response = http.sendProtobuf("PUT", WEB, body("apps/v1", "Deployment", object));
        assertThat(response.code()).as(response.text()).isEqualTo(200);
    }
}
