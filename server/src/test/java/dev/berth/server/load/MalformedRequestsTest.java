package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.StoreChoice;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that the HTTP library rejects get a Kubernetes `Status`, and the connection is closed.
class MalformedRequestsTest {

    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({
        "GET http://other/api/v1 HTTP/1.1, 400",
        "GET /api/v1/%c0%ae/%/a HTTP/1.1, 400",
        "GET api HTTP/1.1, 400",
        "GET  HTTP/1.1, 505"
    })
    void connectionIsClosedWithTheResponse(String firstLine, int status) throws IOException {
        try (var server = start();
                var client = server.client()) {
            var response = client.send((firstLine + "\r\nHost: berth\r\n\r\n").getBytes(US_ASCII));
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.header("Connection")).isEqualTo("close");
            assertThat(response.body().orElse(""))
                    .contains("\"kind\":\"Status\"", "\"reason\":\"BadRequest\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /version HTTP/1.1\nHost: berth\n\n",
                "GET /version HTTP/1.1\r\nHost: berth\nX: y\r\n\r\n",
                "GET /version HTTP/1.1\r\nHost: berth\r\n\n"
            })
    void lineEndsWithoutCarriageReturnAreRejected(String request) throws IOException {
        try (var server = start();
                var client = server.client()) {
            assertThat(client.send(request.getBytes(US_ASCII)).status()).isEqualTo(400);
        }
    }

    @Test
    void requestsRejectedByTheServerLeaveTheConnectionOpen() throws IOException {
        try (var server = start();
                var client = server.client()) {
            var response = client.get("/api/v1/nodes/.");
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.header("Connection")).isEmpty();
        }
    }

    private TestServer start() {
        return TestServer.start(
                directory, settings -> settings.withStore(new StoreChoice.Memory()));
    }
}
