package dev.berth.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/// Login, sessions, checks of requests and headers of responses.
class DashboardSecurityTest {

    /// A clock that tests advance.
    private static final class TestClock extends Clock {
        private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @Test
    void aTokenIsValidOnce() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster())) {
            var token = client.token();

            assertThat(client.login(token).statusCode()).isEqualTo(204);
            var second = client.login(token);

            assertThat(second.statusCode()).isEqualTo(401);
            assertThat(second.body()).contains("\"reason\":\"InvalidToken\"");
        }
    }

    @Test
    void aTokenExpiresAfterAMinute() throws IOException, InterruptedException {
        var clock = new TestClock();
        try (var client = new DashboardClient(new FakeCluster(), clock)) {
            var token = client.token();
            clock.now = clock.now.plus(Duration.ofSeconds(61));

            assertThat(client.login(token).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void theCookieIsStrictAndHasThePortInItsName() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster())) {
            var cookie =
                    client.login(client.token()).headers().firstValue("Set-Cookie").orElseThrow();

            assertThat(cookie)
                    .startsWith("berth-ui-" + client.port() + "=")
                    .contains("; HttpOnly", "; SameSite=Strict", "; Path=/ui");
        }
    }

    @Test
    void dataNeedASession() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster())) {
            for (var path : new String[] {"fleet", "events", "session", "pending", "object/x/y"}) {
                assertThat(client.get("/ui/api/" + path).statusCode()).as(path).isEqualTo(401);
            }
            assertThat(client.post("/ui/api/plan", "{}").statusCode()).isEqualTo(401);
            assertThat(client.post("/ui/api/token", "{}").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void everyResponseHasTheSecurityHeaders() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster())) {
            for (var path : new String[] {"/ui/", "/ui/api/fleet", "/ui/none.js", "/other"}) {
                var headers = client.get(path).headers();

                assertThat(headers.firstValue("Content-Security-Policy"))
                        .contains(
                                "default-src 'none'; script-src 'self'; style-src 'self'; img-src"
                                        + " 'self' blob:; connect-src 'self'; base-uri 'none';"
                                        + " form-action 'none'; frame-ancestors 'none';"
                                        + " require-trusted-types-for 'script'; trusted-types"
                                        + " svelte-trusted-html");
                assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
                assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
            }
            var data = client.get("/ui/api/fleet").headers();
            assertThat(data.firstValue("Cache-Control")).contains("no-store");
        }
    }

    @Test
    void viewsAreThePageAndAssetsAreImmutable() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster())) {
            assertThat(client.get("/ui/pending/ml/train").body()).contains("test page");
            var asset = client.get("/ui/assets/index-0123abcd.js");
            assertThat(asset.headers().firstValue("Content-Type"))
                    .contains("text/javascript; charset=utf-8");
            assertThat(asset.headers().firstValue("Cache-Control").orElse(""))
                    .contains("immutable");
            assertThat(client.get("/ui/assets/..%2f..%2fx.js").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void otherHostsAreRefused() throws IOException {
        try (var client = new DashboardClient(new FakeCluster())) {
            assertThat(statusLine(client, "attacker.example:" + client.port())).contains(" 421 ");
            assertThat(statusLine(client, "127.0.0.1:1")).contains(" 421 ");
            assertThat(statusLine(client, "localhost:" + client.port())).contains(" 200 ");
        }
    }

    /// The status line of a request with a Host header that the HTTP client of Java forbids.
    private static String statusLine(DashboardClient client, String host) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), client.port())) {
            socket.getOutputStream()
                    .write(
                            "GET /ui/ HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                                    .formatted(host)
                                    .getBytes(StandardCharsets.US_ASCII));
            var answer = socket.getInputStream().readAllBytes();
            return new String(answer, StandardCharsets.UTF_8).lines().findFirst().orElse("");
        }
    }

    @Test
    void otherOriginsAreRefused() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster()).loggedIn()) {
            var foreign =
                    HttpRequest.newBuilder(client.uri("/ui/api/fleet"))
                            .header("Origin", "http://attacker.example");
            var crossSite =
                    HttpRequest.newBuilder(client.uri("/ui/api/fleet"))
                            .header("Sec-Fetch-Site", "cross-site");
            var own =
                    HttpRequest.newBuilder(client.uri("/ui/api/fleet"))
                            .header("Origin", "http://127.0.0.1:" + client.port())
                            .header("Sec-Fetch-Site", "same-origin");

            assertThat(client.send(foreign).statusCode()).isEqualTo(403);
            assertThat(client.send(crossSite).statusCode()).isEqualTo(403);
            assertThat(client.send(own).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void bodiesAreBoundedAndJson() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster()).loggedIn()) {
            var large = "{\"manifests\":\"%s\"}".formatted("x".repeat(1 << 20));
            assertThat(client.post("/ui/api/plan", large).statusCode()).isEqualTo(413);
            var form =
                    HttpRequest.newBuilder(client.uri("/ui/api/plan"))
                            .header("Content-Type", "text/plain")
                            .POST(HttpRequest.BodyPublishers.ofString("{}"));
            assertThat(client.send(form).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void dataAreReadOnly() throws IOException, InterruptedException {
        try (var client = new DashboardClient(new FakeCluster()).loggedIn()) {
            assertThat(client.post("/ui/api/fleet", "{}").statusCode()).isEqualTo(405);
            assertThat(client.post("/ui/api/object/pods/x", "{}").statusCode()).isEqualTo(405);
        }
    }
}
