package dev.berth.server.clients;

import static dev.berth.server.clients.ProtobufHttp.METADATA;
import static dev.berth.server.clients.ProtobufHttp.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.ProtobufBytes;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.schema.TreeDifference;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Media types of responses: quality values, forms, custom resources, errors, discovery.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufNegotiationTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String TABLE = ";as=Table;g=meta.k8s.io;v=v1";
    private static final String LIST = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

    private ApiServer server;
    private Http http;
    private ProtobufHttp protobuf;

    @BeforeAll
    void start(@TempDir Path directory) throws InterruptedException {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
        protobuf = new ProtobufHttp(http);
        http.post(MAPS, "{\"metadata\":{\"name\":\"m\",\"labels\":{\"a\":\"\"}}}");
        http.post(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                Manifests.WIDGETS,
                "Content-Type",
                "application/yaml");
        Eventually.holds(() -> http.get(WIDGETS).code() == 200);
        http.post(WIDGETS, Manifests.WIDGET, "Content-Type", "application/yaml");
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/vnd.kubernetes.protobuf | PROTOBUF",
                "application/vnd.kubernetes.protobuf,application/json | PROTOBUF",
                "application/json,application/vnd.kubernetes.protobuf | JSON",
                "application/json;q=0.5, application/vnd.kubernetes.protobuf;q=0.9 | PROTOBUF",
                "application/vnd.kubernetes.protobuf;q=0.5,application/json | JSON",
                "application/vnd.kubernetes.protobuf;q=0,*/* | JSON",
                "text/html,application/vnd.kubernetes.protobuf | PROTOBUF",
                "APPLICATION/VND.KUBERNETES.PROTOBUF | PROTOBUF",
                "application/vnd.kubernetes.protobuf; charset=utf-8 | PROTOBUF",
                "*/* | JSON"
            })
    void typeOfHighestQualityIsChosen(String accept, String encoding) {
        var type = encoding.equals("PROTOBUF") ? PROTOBUF : "application/json";
        assertThat(protobuf.get(MAPS + "/m", accept).summary())
                .isEqualTo("200 %s ConfigMap".formatted(type));
        assertThat(protobuf.get(MAPS, accept).summary())
                .isEqualTo("200 %s ConfigMapList".formatted(type));
    }

    @Test
    void goClientsGetProtobuf() {
        var response = protobuf.get(MAPS + "/m");
        assertThat(response.bytes()).startsWith('k', '8', 's', 0);
        assertThat(response.object()).isEqualTo(http.get(MAPS + "/m").json());
    }

    @ParameterizedTest
    @ValueSource(strings = {MAPS, WIDGETS})
    void metadataOfBuiltInAndCustomKinds(String path) {
        var list = protobuf.get(path, PROTOBUF + LIST);
        assertThat(list.summary())
                .isEqualTo("200 %s PartialObjectMetadataList".formatted(PROTOBUF));
        assertThat(list.object().text("apiVersion")).isEqualTo("meta.k8s.io/v1");
        assertThat(metadata(list.object()))
                .isEqualTo(metadata(http.get(path, "Accept", "application/json" + LIST).json()));
        var name = list.names().getLast();
        var object = protobuf.get(path + "/" + name, PROTOBUF + METADATA);
        assertThat(object.summary()).isEqualTo("200 %s PartialObjectMetadata".formatted(PROTOBUF));
        assertThat(object.object())
                .isEqualTo(
                        http.get(path + "/" + name, "Accept", "application/json" + METADATA)
                                .json());
    }

    private static List<JsonObject> metadata(JsonObject list) {
        return list.objects("items").stream().map(one -> one.objectOrEmpty("metadata")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {MAPS, WIDGETS})
    void metadataOfBuiltInAndCustomKindsIsWatched(String path) {
        try (var frames = protobuf.watch(path + "?watch=1", PROTOBUF + METADATA)) {
            var first = frames.next();
            assertThat(first.type()).isEqualTo("ADDED");
            assertThat(first.object().text("kind")).isEqualTo("PartialObjectMetadata");
            assertThat(first.object().has("data") || first.object().has("spec")).isFalse();
        }
    }

    @Test
    void tablesAreJson() {
        var accept = PROTOBUF + TABLE + ",application/json" + TABLE + "," + PROTOBUF;
        for (var path : new String[] {MAPS, MAPS + "/m", WIDGETS}) {
            assertThat(protobuf.get(path, accept).summary())
                    .isEqualTo("200 application/json Table");
        }
        assertThat(protobuf.get(MAPS, PROTOBUF + TABLE + "," + PROTOBUF).summary())
                .isEqualTo("200 %s ConfigMapList".formatted(PROTOBUF));
        assertThat(protobuf.get(MAPS, PROTOBUF + TABLE).code()).isEqualTo(406);
    }

    @Test
    void watchesAreNotYaml() {
        for (var path : new String[] {MAPS, WIDGETS}) {
            var watch = path + "?watch=1&timeoutSeconds=1";
            var refused = protobuf.get(watch, "application/yaml");
            assertThat(refused.summary()).isEqualTo("406 application/json Status NotAcceptable");
            assertThat(refused.object().text("message")).contains("application/json;stream=watch");
            try (var events = protobuf.watch(watch, "application/yaml,application/json")) {
                assertThat(events.type()).isEqualTo("application/json");
            }
        }
    }

    @Test
    void customKindsHaveJsonOnly() {
        assertThat(protobuf.get(WIDGETS, PROTOBUF + ",application/json").summary())
                .isEqualTo("200 application/json WidgetList");
        for (var path : new String[] {WIDGETS, WIDGETS + "/w", WIDGETS + "?watch=1"}) {
            var response = protobuf.get(path);
            assertThat(response.code()).as(path).isEqualTo(406);
            assertThat(response.object().text("reason")).isEqualTo("NotAcceptable");
        }
        var body = new ProtobufBytes().message(1, ProtobufBytes.metadata("x"));
        var sent = ProtobufBytes.body("example.com/v1", "Widget", body);
        for (var method : new String[] {"POST", "PUT"}) {
            var path = method.equals("POST") ? WIDGETS : WIDGETS + "/w";
            var response = http.sendProtobuf(method, path, sent);
            assertThat(response.code()).as(method).isEqualTo(415);
            assertThat(response.json().text("reason")).isEqualTo("UnsupportedMediaType");
        }
        assertThat(http.get(WIDGETS + "/x").code()).isEqualTo(404);
    }

    @Test
    void optionsOfCustomKindsAreProtobuf() {
        http.post(
                WIDGETS,
                Manifests.WIDGET.replace("name: w", "name: gone"),
                "Content-Type",
                "application/yaml");
        var options = new ProtobufBytes().text(4, "Background");
        var response =
                http.sendProtobuf(
                        "DELETE",
                        WIDGETS + "/gone",
                        ProtobufBytes.body("example.com/v1", "DeleteOptions", options));
        assertThat(response.code()).as(response.text()).isEqualTo(200);
    }

    @Test
    void errorsAreStatusInProtobuf() {
        assertThat(protobuf.get(MAPS + "/none").summary())
                .isEqualTo("404 %s Status NotFound".formatted(PROTOBUF));
        var status = protobuf.get(MAPS + "/none").object();
        assertThat(status).isEqualTo(http.get(MAPS + "/none").json());
        var map = new ProtobufBytes().message(1, ProtobufBytes.metadata("m"));
        assertThat(
                        protobuf.send("POST", MAPS, ProtobufBytes.body("v1", "ConfigMap", map))
                                .summary())
                .isEqualTo("409 %s Status AlreadyExists".formatted(PROTOBUF));
        var odd = new ProtobufBytes().message(1, ProtobufBytes.metadata("A_B"));
        var invalid = protobuf.send("POST", MAPS, ProtobufBytes.body("v1", "ConfigMap", odd));
        assertThat(invalid.summary()).isEqualTo("422 %s Status Invalid".formatted(PROTOBUF));
        assertThat(
                        invalid.object()
                                .objectOrEmpty("details")
                                .objects("causes")
                                .getFirst()
                                .text("field"))
                .isEqualTo("metadata.name");
        assertThat(protobuf.send("POST", MAPS, new byte[] {'k', '8', 's', 0, 9}).summary())
                .isEqualTo("400 %s Status BadRequest".formatted(PROTOBUF));
        var pod = ProtobufBytes.body("v1", "Pod", map);
        assertThat(protobuf.send("POST", MAPS, pod).summary())
                .isEqualTo("400 %s Status BadRequest".formatted(PROTOBUF));
        assertThat(protobuf.get("/apis/none.example.com/v1/things").code()).isEqualTo(404);
    }

    @Test
    void unauthorizedClientsGetStatusInProtobuf() {
        try (var anonymous = Http.anonymous(server)) {
            assertThat(new ProtobufHttp(anonymous).get(MAPS).summary())
                    .matches("40[13] %s Status (Forbidden|Unauthorized)".formatted(PROTOBUF));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api, APIVersions",
        "/apis, APIGroupList",
        "/apis/apps, APIGroup",
        "/api/v1, APIResourceList",
        "/apis/apps/v1, APIResourceList",
        "/apis/resource.k8s.io/v1, APIResourceList",
        "/apis/example.com/v1, APIResourceList"
    })
    void discoveryIsProtobuf(String path, String kind) {
        var response = protobuf.get(path, PROTOBUF + ",application/json");
        assertThat(response.summary()).isEqualTo("200 %s %s".formatted(PROTOBUF, kind));
        // An APIVersions has no apiVersion in JSON.
        assertThat(
                        TreeDifference.of(
                                TreeDifference.withoutEmptyLists(
                                        http.get(path).json().without("apiVersion")),
                                TreeDifference.withoutEmptyLists(
                                        response.object().without("apiVersion"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis"})
    void aggregatedDiscoveryIsProtobuf(String path) {
        var form = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        var response = protobuf.get(path, PROTOBUF + form + ",application/json" + form);
        assertThat(response.code()).isEqualTo(200);
        assertThat(response.object().text("kind")).isEqualTo("APIGroupDiscoveryList");
        assertThat(response.type()).startsWith(PROTOBUF);
        var json = http.get(path, "Accept", "application/json" + form).json();
        var names = json.objects("items").stream().map(ProtobufHttp::name).toList();
        assertThat(response.names()).isEqualTo(names);
    }
}
