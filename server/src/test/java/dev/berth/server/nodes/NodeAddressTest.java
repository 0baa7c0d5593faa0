package dev.berth.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressTest {

    private static JsonObject node(String address, long port) {
        var annotations = JsonObject.of("berth.dev/serving-certificate", Json.of("ab".repeat(32)));
        return JsonObject.of(
                        "metadata",
                        JsonObject.of("name", Json.of("n")).with("annotations", annotations))
                .with(
                        "status",
                        JsonObject.of(
                                        "addresses",
                                        Json.array(
                                                JsonObject.of("type", Json.of("InternalIP"))
                                                        .with("address", Json.of(address))))
                                .with(
                                        "daemonEndpoints",
                                        JsonObject.of(
                                                "kubeletEndpoint",
                                                JsonObject.of("Port", Json.of(port)))));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, https://10.0.0.1:10250/pods",
        "2001:db8::1, https://[2001:db8::1]:10250/pods",
        "::ffff:10.0.0.1, https://[::ffff:10.0.0.1]:10250/pods",
        "node-1.example.com, https://node-1.example.com:10250/pods",
        "Node-1, https://Node-1:10250/pods",
    })
    void urlHasTheHostOfTheNodeAndThePathOfTheServer(String address, String url) {
        var at = NodeAddress.of(node(address, 10250));

        assertThat(at.uri("https", "/pods")).hasToString(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:17031/containerLogs/victim/victim/c?x=",
                "127.0.0.1/pods",
                "127.0.0.1:1",
                "127.0.0.1?x=",
                "127.0.0.1#",
                "user@127.0.0.1",
                "127.0.0.1\\",
                "127.0.0.1\r\nHost: x",
                "[::1]",
                "::1]:1/pods?[",
                "fe80::1%eth0",
                "a..b",
                "-",
                " ",
            })
    void invalidHostIsRejected(String address) {
        var exception =
                catchThrowableOfType(
                        ApiException.class, () -> NodeAddress.of(node(address, 10250)));

        assertThat(exception).isNotNull();
        assertThat(exception.error().code()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 65_536, 4_294_967_297L})
    void invalidPortIsRejected(long port) {
        var exception =
                catchThrowableOfType(
                        ApiException.class, () -> NodeAddress.of(node("10.0.0.1", port)));

        assertThat(exception.error().message()).contains("kubeletEndpoint.Port");
    }
}
