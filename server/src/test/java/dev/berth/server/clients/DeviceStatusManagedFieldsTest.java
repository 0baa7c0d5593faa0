package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Drivers report `status.devices` of a ResourceClaim by patches: a list map whose key field
/// `shareID` is optional.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeviceStatusManagedFieldsTest {

    private static final String CLAIMS =
            "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
    private static final String SHARE = "0f6bd5c0-9c1c-4b53-8e5c-3d0d5e1f1a01";
    private static final String OTHER_SHARE = "0f6bd5c0-9c1c-4b53-8e5c-3d0d5e1f1a02";

    private final AtomicInteger count = new AtomicInteger();
    private ApiServer server;
    private Http http;
    private String name = "";
    private String claim = "";
    private String pool = "";

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

    /// A claim that holds device a as a whole, and two shares of device b.
    @BeforeEach
    void allocate() {
        name = "claim-" + count.incrementAndGet();
        pool = "pool-" + count.get();
        claim = CLAIMS + "/" + name;
        http.post(
                CLAIMS,
                """
                {"metadata": {"name": "%s"}, "spec": {"devices": {"requests": [
                 {"name": "r", "exactly": {"deviceClassName": "c"}}]}}}\
                """
                        .formatted(name));
        var results =
                List.of(device("a", ""), device("b", SHARE), device("b", OTHER_SHARE)).stream()
                        .map(device -> "{\"request\":\"r\"," + device.substring(1))
                        .collect(Collectors.joining(","));
        var allocated =
                http.patch(
                        claim + "/status",
                        "merge",
                        "{\"status\":{\"allocation\":{\"devices\":{\"results\":[%s]}}}}"
                                .formatted(results));
        assertThat(allocated.code()).as(allocated.text()).isEqualTo(200);
    }

    /// @param share empty when the device is not shared
    private String device(String name, String share) {
        return "{\"driver\":\"d.example.com\",\"pool\":\"%s\",\"device\":\"%s\"%s}"
                .formatted(pool, name, share.isEmpty() ? "" : ",\"shareID\":\"" + share + "\"");
    }

    private String device(String name, String share, String more) {
        return device(name, share).replace("}", "," + more + "}");
    }

    private Http.Response apply(String manager, String... devices) {
        var config =
                """
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                 "metadata": {"name": "%s"}, "status": {"devices": [%s]}}\
                """
                        .formatted(name, String.join(",", devices));
        return http.patch(claim + "/status?fieldManager=" + manager, "apply", config);
    }

    private List<String> devices() {
        return http.get(claim).json().objectOrEmpty("status").objects("devices").stream()
                .map(device -> (device.text("device") + " " + device.text("shareID")).strip())
                .toList();
    }

    /// The fields below `status.devices` that a manager owns.
    private String owned(String manager) {
        return http.get(claim).metadata().objects("managedFields").stream()
                .filter(entry -> entry.text("manager").equals(manager))
                .map(this::fieldsOfDevices)
                .collect(Collectors.joining());
    }

    private String fieldsOfDevices(JsonObject entry) {
        var status = entry.objectOrEmpty("fieldsV1").objectOrEmpty("f:status");
        return JsonWriter.compact(status.objectOrEmpty("f:devices"))
                .replace("\\\"", "'")
                .replace(pool, "p");
    }

    @Test
    void managersOfADeviceWithoutShareUseTheKeyWithoutShareId() {
        var response = apply("driver", device("a", "", "\"data\":{\"x\":1}"));
        assertThat(response.code()).as(response.text()).isEqualTo(200);
        assertThat(owned("driver"))
                .isEqualTo(
                        "{\"k:{'device':'a','driver':'d.example.com','pool':'p'}\":{\".\":{},"
                                + "\"f:data\":{},\"f:device\":{},\"f:driver\":{},\"f:pool\":{}}}");
    }

    @Test
    void managersOfAShareUseTheKeyWithShareId() {
        assertThat(apply("driver", device("b", SHARE)).code()).isEqualTo(200);
        assertThat(owned("driver"))
                .startsWith(
                        "{\"k:{'device':'b','driver':'d.example.com','pool':'p','shareID':'%s'}\":"
                                .formatted(SHARE));
    }

    @Test
    void managersApplyDevicesOfTheirOwnAndWithdrawThem() {
        apply("one", device("a", ""), device("b", SHARE));
        apply("two", device("b", OTHER_SHARE));
        assertThat(devices()).containsExactlyInAnyOrder("a", "b " + SHARE, "b " + OTHER_SHARE);
        assertThat(apply("one", device("b", SHARE)).code()).isEqualTo(200);
        assertThat(devices()).containsExactlyInAnyOrder("b " + SHARE, "b " + OTHER_SHARE);
        assertThat(apply("two").code()).isEqualTo(200);
        assertThat(devices()).containsExactly("b " + SHARE);
    }

    @Test
    void deviceAppliedByTwoManagersIsKept() {
        apply("one", device("a", ""));
        apply("two", device("a", ""));
        apply("one");
        assertThat(devices()).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({"a,''", "b," + SHARE})
    void dataOfAnotherManagerIsAConflict(String device, String share) {
        apply("one", device(device, share, "\"data\":{\"x\":1}"));
        var refused = apply("two", device(device, share, "\"data\":{\"x\":2}"));
        assertThat(refused.code()).as(refused.text()).isEqualTo(409);
        assertThat(refused.json().text("message"))
                .contains("conflict with \"one\" with subresource \"status\"", ".data");
        var forced = apply("two&force=true", device(device, share, "\"data\":{\"x\":2}"));
        assertThat(forced.code()).as(forced.text()).isEqualTo(200);
        assertThat(owned("two")).contains("f:data");
        assertThat(owned("one")).contains("f:device").doesNotContain("f:data");
    }

    @ParameterizedTest
    @ValueSource(strings = {"merge", "strategic-merge"})
    void patchesOwnOnlyTheFieldsThatTheyChange(String patch) {
        apply("one", device("a", "", "\"data\":{\"x\":1}"), device("b", SHARE));
        var changed =
                "{\"status\":{\"devices\":[%s,%s]}}"
                        .formatted(device("a", "", "\"data\":{\"x\":2}"), device("b", SHARE));
        var response = http.patch(claim + "/status?fieldManager=patcher", patch, changed);
        assertThat(response.code()).as(response.text()).isEqualTo(200);
        assertThat(owned("patcher"))
                .isEqualTo(
                        "{\"k:{'device':'a','driver':'d.example.com','pool':'p'}\":"
                                + "{\"f:data\":{}}}");
        assertThat(owned("one")).contains("'shareID'", "f:device").doesNotContain("f:data");
    }

    @Test
    void deviceWithoutKeyFieldsIsRejected() {
        var refused = apply("driver", "{\"data\":{\"x\":1}}");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.json().text("message"))
                .endsWith(
                        ".status.devices: element 0: associative list with keys has an element that"
                                + " omits all key fields [\"driver\" \"device\" \"pool\""
                                + " \"shareID\"] (and doesn't have default values for any key"
                                + " fields)");
    }

    @Test
    void duplicateDeviceIsRejected() {
        var refused = apply("driver", device("a", ""), device("a", ""));
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.json().text("message"))
                .contains("duplicate entries for key")
                .doesNotContain("shareID");
    }
}
