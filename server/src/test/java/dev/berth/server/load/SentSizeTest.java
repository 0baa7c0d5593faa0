package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.http.ServerLimits;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Objects of requests that are too large to be stored are rejected before they are defaulted and
/// validated, in all encodings and patch types.
class SentSizeTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String MESSAGE = " has more than 1568768 bytes";

    private TestServer server;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path directory) {
        server = TestServer.start(directory, ServerLimits.DEFAULT);
        client = server.client();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private void isRejected(String method, String path, String contentType, String body)
            throws IOException {
        var response = client.send(method, path, contentType, body);
        assertThat(response.status()).as(contentType).isEqualTo(413);
        assertThat(response.body().orElse("")).contains("RequestEntityTooLarge", MESSAGE);
    }

    @Test
    void podWithAMillionInvalidContainersIsRejected() throws Exception {
        var containers = "{},".repeat(999_999) + "{}";
        isRejected(
                "POST",
                PODS,
                "application/json",
                "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[%s]}}"
                        .formatted(containers));
        isRejected(
                "POST",
                PODS,
                "application/yaml",
                "{metadata: {name: p}, spec: {containers: [%s]}}".formatted(containers));
    }

    @Test
    void updateBeyondTheLimitIsRejected() throws Exception {
        assertThat(client.json("POST", CONFIG_MAPS, configMap(10)).status()).isEqualTo(201);

        isRejected("PUT", CONFIG_MAPS + "/c", "application/json", configMap(1_600_000));
    }

    @Test
    void patchBeyondTheLimitIsRejected() throws Exception {
        assertThat(client.json("POST", CONFIG_MAPS, configMap(900_000)).status()).isEqualTo(201);

        isRejected(
                "PATCH",
                CONFIG_MAPS + "/c",
                "application/json-patch+json",
                "[{\"op\":\"copy\",\"from\":\"/data/k\",\"path\":\"/data/l\"}]");
        isRejected(
                "PATCH",
                CONFIG_MAPS + "/c",
                "application/merge-patch+json",
                "{\"data\":{\"l\":\"%s\"}}".formatted("v".repeat(900_000)));
    }

    private static String configMap(int length) {
        return "{\"metadata\":{\"name\":\"c\"},\"data\":{\"k\":\"%s\"}}"
                .formatted("v".repeat(length));
    }
}
