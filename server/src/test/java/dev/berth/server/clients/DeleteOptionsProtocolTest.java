package dev.berth.server.clients;

import static dev.berth.schema.protobuf.ProtobufBytes.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.ProtobufBytes;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// DeleteOptions in the body of deletions, in every version of every group: client-go sends them as
/// a kind of the group that it deletes from.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeleteOptionsProtocolTest {

    private static final String CLASSES = "/apis/resource.k8s.io/v1/deviceclasses";

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

    /// Resources of one version of a group.
    private record Version(String apiVersion, String path, List<JsonObject> resources) {}

    private List<Version> versions() {
        var all = new ArrayList<Version>();
        all.add(version("v1", "/api/v1"));
        for (var group : http.get("/apis").json().objects("groups")) {
            for (var version : group.objects("versions")) {
                var name = version.text("groupVersion");
                all.add(version(name, "/apis/" + name));
            }
        }
        return all;
    }

    private Version version(String apiVersion, String path) {
        return new Version(apiVersion, path, http.get(path).json().objects("resources"));
    }

    private static String collection(Version version, JsonObject resource) {
        return version.path
                + (resource.flag("namespaced").orElse(false) ? "/namespaces/default/" : "/")
                + resource.text("name");
    }

    private static byte[] json(String apiVersion) {
        return """
        {"apiVersion": "%s", "kind": "DeleteOptions", "propagationPolicy": "Background"}\
        """
                .formatted(apiVersion)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] protobuf(String apiVersion) {
        return body(apiVersion, "DeleteOptions", new ProtobufBytes().text(4, "Background"));
    }

    private int delete(String path, boolean binary, String apiVersion) {
        return binary
                ? http.sendProtobuf("DELETE", path, protobuf(apiVersion)).code()
                : http.delete(path, new String(json(apiVersion), StandardCharsets.UTF_8)).code();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyGroupAcceptsOptionsOfItsVersionAndOfMeta(boolean binary) {
        var versions = versions();
        assertThat(versions)
                .extracting(Version::apiVersion)
                .contains("resource.k8s.io/v1", "apps/v1");
        var softly = new SoftAssertions();
        for (var version : versions) {
            for (var resource : version.resources) {
                var verbs = resource.strings("verbs");
                var path = collection(version, resource);
                for (var written : List.of(version.apiVersion, "v1", "meta.k8s.io/v1")) {
                    if (verbs.contains("delete") && !resource.text("name").contains("/")) {
                        // Options are read first, so this object is missed only if they are valid.
                        softly.assertThat(delete(path + "/missing", binary, written))
                                .as("%s with options of %s", path, written)
                                .isEqualTo(404);
                    }
                    if (verbs.contains("deletecollection")) {
                        softly.assertThat(delete(path + "?labelSelector=no=one", binary, written))
                                .as("collection %s with options of %s", path, written)
                                .isEqualTo(200);
                    }
                }
            }
        }
        softly.assertAll();
    }

    @Test
    void optionsOfAnotherKindAreRejected() {
        var response = http.delete(CLASSES + "/a", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}");
        assertThat(response.code()).isEqualTo(400);
        assertThat(response.json().text("message"))
                .isEqualTo("the body of a deletion is of kind \"Pod\"; expected DeleteOptions");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void preconditionsAreHonoured(boolean binary) {
        http.post(CLASSES, "{\"metadata\":{\"name\":\"kept\"}}");
        var wrong = "0f6bd5c0-9c1c-4b53-8e5c-3d0d5e1f1a01";
        var preconditions = new ProtobufBytes().message(2, new ProtobufBytes().text(1, wrong));
        var response =
                binary
                        ? http.sendProtobuf(
                                "DELETE",
                                CLASSES + "/kept",
                                body("resource.k8s.io/v1", "DeleteOptions", preconditions))
                        : http.delete(
                                CLASSES + "/kept",
                                """
                                {"apiVersion": "resource.k8s.io/v1", "kind": "DeleteOptions",
                                 "preconditions": {"uid": "%s"}}\
                                """
                                        .formatted(wrong));
        assertThat(response.code()).as(response.text()).isEqualTo(409);
        assertThat(http.get(CLASSES + "/kept").code()).isEqualTo(200);
    }
}
