package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Unset fields in stored objects and in responses.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnsetFieldsTest {

    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
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

    private static String owned(JsonObject metadata) {
        return metadata.objects("managedFields").stream()
                .map(entry -> JsonWriter.compact(entry.objectOrEmpty("fieldsV1")))
                .findFirst()
                .orElse("");
    }

    @Test
    void emptyListsAndMapsAreOmitted() {
        var made =
                http.post(
                        CLASSES,
                        """
                        {"metadata": {"name": "f", "labels": {}, "finalizers": []},
                         "spec": {"config": [], "selectors": []}}\
                        """);
        assertThat(made.code()).as(made.text()).isEqualTo(201);
        var stored = http.get(CLASSES + "/f").json();
        assertThat(stored.objectOrEmpty("metadata").names())
                .doesNotContain("labels", "finalizers", "managedFields");
        assertThat(stored.member("spec")).hasValue(JsonObject.EMPTY);
    }

    @Test
    void listEmptiedByAPatchIsOmitted() {
        http.post(
                CLASSES,
                """
                {"metadata": {"name": "g"},
                 "spec": {"selectors": [{"cel": {"expression": "true"}}]}}\
                """);
        var patched = http.patch(CLASSES + "/g", "merge", "{\"spec\":{\"selectors\":[]}}");
        assertThat(patched.json().member("spec")).hasValue(JsonObject.EMPTY);
    }

    @Test
    void requiredFieldsOfSlicesHaveZeroValuesWithoutManager() {
        var made =
                http.post(
                        SLICES,
                        """
                        {"metadata": {"name": "f"},
                         "spec": {"driver": "d.example.com", "nodeName": "n",
                          "pool": {"name": "p", "resourceSliceCount": 1},
                          "devices": [{"name": "d", "capacity": {"memory": {}}}]}}\
                        """);
        assertThat(made.code()).as(made.text()).isEqualTo(201);
        var spec = http.get(SLICES + "/f").json().objectOrEmpty("spec");
        assertThat(spec.objectOrEmpty("pool").number("generation")).hasValue(0);
        var memory =
                spec.objects("devices")
                        .getFirst()
                        .objectOrEmpty("capacity")
                        .objectOrEmpty("memory");
        assertThat(memory.text("value")).isEqualTo("0");
        assertThat(owned(made.metadata()))
                .isEqualTo(
                        "{\"f:spec\":{\"f:devices\":{},\"f:driver\":{},\"f:nodeName\":{},"
                                + "\"f:pool\":{\"f:name\":{},\"f:resourceSliceCount\":{}}}}");
    }

    @Test
    void sendingTheObjectWithoutItsZeroValuesChangesNothing() {
        var made =
                http.post(
                        SLICES,
                        """
                        {"metadata": {"name": "h"},
                         "spec": {"driver": "d.example.com", "nodeName": "n",
                          "pool": {"name": "p", "resourceSliceCount": 1}}}\
                        """);
        var pool = made.json().objectOrEmpty("spec").objectOrEmpty("pool").without("generation");
        var sent = made.json().with("spec", made.json().objectOrEmpty("spec").with("pool", pool));
        var again = http.put(SLICES + "/h", JsonWriter.compact(sent));
        assertThat(again.code()).as(again.text()).isEqualTo(200);
        assertThat(again.json().objectOrEmpty("spec")).isEqualTo(made.json().objectOrEmpty("spec"));
        assertThat(again.metadata().member("managedFields"))
                .isEqualTo(made.metadata().member("managedFields"));
    }
}
