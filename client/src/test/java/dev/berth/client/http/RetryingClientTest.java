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

/// Single requests to a server that has its moods.
class RetryingClientTest {

    private static final Request READ =
            new Request.Get(new ResourcePath("", "v1", "configmaps"), "default", "a");

    @TempDir private Path directory;

    @Test
    void aServerThatAsksForPatienceGetsIt() throws IOException {
        var answers = new AtomicInteger();
        FakeServer.Script script =
                (exchange, _) -> {
                    exchange.getResponseHeaders().add("Retry-After", "0");
                    var code = answers.incrementAndGet() < 4 ? 429 : 200;
                    FakeServer.answer(exchange, code, "{}");
                };
        assertThat(outcome(script, "{}")).isInstanceOf(RequestResult.Done.class);
        assertThat(answers).hasValue(4);
    }

    @Test
    void patienceHasAnEnd() throws IOException {
        var answers = new AtomicInteger();
        FakeServer.Script script =
                (exchange, _) -> {
                    answers.incrementAndGet();
                    exchange.getResponseHeaders().add("Retry-After", "0");
                    FakeServer.answer(exchange, 429, "{\"message\":\"too much\"}");
                };
        assertThat(outcome(script, "{}")).isEqualTo(new RequestResult.Unavailable("too much"));
        assertThat(answers).hasValue(6);
    }

    @Test
    void aWaitThatIsTooLongIsNotBegun() throws IOException {
        FakeServer.Script script =
                (exchange, _) -> {
                    exchange.getResponseHeaders().add("Retry-After", "3600");
                    FakeServer.answer(exchange, 429, "{}");
                };
        assertThat(outcome(script, "{}")).isInstanceOf(RequestResult.Unavailable.class);
    }

    @Test
    void aServerThatNeverAnswersIsUnavailable() throws IOException {
        var end = new CountDownLatch(1);
        FakeServer.Script script =
                (_, _) -> {
                    try {
                        end.await();
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                };
        assertThat(outcome(script, "{}").message()).contains("no answer within");
        end.countDown();
    }

    @Test
    void aTokenThatWasRenewedIsUsedAtOnce() throws IOException {
        var token = directory.resolve("token");
        Files.writeString(token, "old\n");
        List<String> shown = new CopyOnWriteArrayList<>();
        FakeServer.Script script =
                (exchange, _) -> {
                    var header = exchange.getRequestHeaders().getFirst("Authorization");
                    shown.add(header);
                    Files.writeString(token, "new\n");
                    FakeServer.answer(exchange, header.equals("Bearer new") ? 200 : 401, "{}");
                };
        assertThat(outcome(script, "{tokenFile: token}")).isInstanceOf(RequestResult.Done.class);
        assertThat(shown).containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void headersSayWhoAsksForWhom() throws IOException {
        List<String> shown = new CopyOnWriteArrayList<>();
        FakeServer.Script script =
                (exchange, _) -> {
                    var headers = exchange.getRequestHeaders();
                    shown.add(headers.getFirst("User-Agent"));
                    shown.add(headers.getFirst("Authorization"));
                    shown.add(headers.getFirst("Impersonate-User"));
                    shown.addAll(headers.get("Impersonate-Group"));
                    FakeServer.answer(
                            exchange, 403, "{\"reason\":\"Forbidden\",\"message\":\"m\"}");
                };
        assertThat(outcome(script, "{username: u, password: p, as: other, as-groups: [g, h]}"))
                .isEqualTo(new RequestResult.Refused(403, "Forbidden", "m"));
        assertThat(shown).containsExactly("berth/0", "Basic dTpw", "other", "g", "h");
    }

    private RequestResult outcome(FakeServer.Script script, String user) throws IOException {
        var settings = ClientOptions.of("test", "0").withRequestTimeout(Duration.ofSeconds(2));
        try (var server = new FakeServer(script);
                var cluster = new HttpCluster(server.access(directory, user), settings)) {
            return cluster.send(READ);
        }
    }
}
