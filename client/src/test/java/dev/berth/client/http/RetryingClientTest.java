package dev.berth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Retries of single requests.
class RetryingClientTest {

    private static final Request READ =
            new Request.Get(new ResourcePath("", "v1", "configmaps"), "default", "a");

    @TempDir private Path directory;

    @Test
    void retryAfterIsHonoured() throws IOException {
        var answers = new AtomicInteger();
        FakeServer.Script script =
                (exchange, _) -> {
                    exchange.getResponseHeaders().add("Retry-After", "0");
                    var code = answers.incrementAndGet() < 4 ? 429 : 200;
                    FakeServer.respond(exchange, code, "{}");
                };
        assertThat(result(script, "{}")).isInstanceOf(RequestResult.Done.class);
        assertThat(answers).hasValue(4);
    }

    @Test
    void retriesAreLimited() throws IOException {
        var answers = new AtomicInteger();
        FakeServer.Script script =
                (exchange, _) -> {
                    answers.incrementAndGet();
                    exchange.getResponseHeaders().add("Retry-After", "0");
                    FakeServer.respond(exchange, 429, "{\"message\":\"too much\"}");
                };
        assertThat(result(script, "{}")).isEqualTo(new RequestResult.Unavailable("too much"));
        assertThat(answers).hasValue(6);
    }

    @Test
    void aRetryAfterBeyondTheTimeoutIsNotAwaited() throws IOException {
        FakeServer.Script script =
                (exchange, _) -> {
                    exchange.getResponseHeaders().add("Retry-After", "3600");
                    FakeServer.respond(exchange, 429, "{}");
                };
        assertThat(result(script, "{}")).isInstanceOf(RequestResult.Unavailable.class);
    }

    @Test
    void aServerThatDoesNotRespondIsUnavailable() throws IOException {
        var end = new CountDownLatch(1);
        FakeServer.Script script =
                (_, _) -> {
                    try {
                        end.await();
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                };
        assertThat(result(script, "{}").message()).contains("no response within");
        end.countDown();
    }

    @Test
    void aRenewedTokenIsUsedAtOnce() throws IOException {
        var token = directory.resolve("token");
        Files.writeString(token, "old\n");
        List<String> received = new CopyOnWriteArrayList<>();
        FakeServer.Script script =
                (exchange, _) -> {
                    var header = exchange.getRequestHeaders().getFirst("Authorization");
                    received.add(header);
                    Files.writeString(token, "new\n");
                    FakeServer.respond(exchange, header.equals("Bearer new") ? 200 : 401, "{}");
                };
        assertThat(result(script, "{tokenFile: token}")).isInstanceOf(RequestResult.Done.class);
        assertThat(received).containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void headersOfUserAgentAndImpersonationAreSent() throws IOException {
        List<String> received = new CopyOnWriteArrayList<>();
        FakeServer.Script script =
                (exchange, _) -> {
                    var headers = exchange.getRequestHeaders();
                    received.add(headers.getFirst("User-Agent"));
                    received.add(headers.getFirst("Authorization"));
                    received.add(headers.getFirst("Impersonate-User"));
                    received.addAll(headers.get("Impersonate-Group"));
                    FakeServer.respond(
                            exchange, 403, "{\"reason\":\"Forbidden\",\"message\":\"m\"}");
                };
        assertThat(result(script, "{username: u, password: p, as: other, as-groups: [g, h]}"))
                .isEqualTo(new RequestResult.Refused(403, "Forbidden", "m"));
        assertThat(received).containsExactly("berth/0", "Basic dTpw", "other", "g", "h");
    }

    private RequestResult result(FakeServer.Script script, String user) throws IOException {
        var settings = ClientOptions.of("test", "0").withRequestTimeout(Duration.ofSeconds(2));
        try (var server = new FakeServer(script);
                var cluster = new HttpCluster(server.access(directory, user), settings)) {
            return cluster.send(READ);
        }
    }
}
