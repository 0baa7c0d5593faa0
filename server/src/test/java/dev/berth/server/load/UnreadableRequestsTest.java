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

/// What the HTTP library refuses before anybody sees it is refused in our words, and the connection
/// ends with it.
class UnreadableRequestsTest {

    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({
        "GET http://other/api/v1 HTTP/1.1, 400",
        "GET /api/v1/%c0%ae/%/a HTTP/1.1, 400",
        "GET api HTTP/1.1, 400",
        "GET  HTTP/1.1, 505"
    })
    void theConnectionEndsWithTheAnswer(String firstLine, int status) throws IOException {
        try (var server = start();
                var client = server.client()) {
            var answer = client.send((firstLine + "\r\nHost: berth\r\n\r\n").getBytes(US_ASCII));
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.body().orElse(""))
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
    void lineEndsWithoutCarriageReturnAreRefused(String request) throws IOException {
        try (var server = start();
                var client = server.client()) {
            assertThat(client.send(request.getBytes(US_ASCII)).status()).isEqualTo(400);
        }
    }

    @Test
    void whatIsRefusedByUsLeavesTheConnectionOpen() throws IOException {
        try (var server = start();
                var client = server.client()) {
            var answer = client.get("/api/v1/nodes/.");
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Connection")).isEmpty();
        }
    }

    private TestServer start() {
        return TestServer.start(
                directory, settings -> settings.withStore(new StoreChoice.Memory()));
    }
}
