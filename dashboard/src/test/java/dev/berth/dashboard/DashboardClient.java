package dev.berth.dashboard;

import dev.berth.dashboard.whatif.PlanManifests;
import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// A dashboard on a fake cluster, and a browser that uses it.
final class DashboardClient implements AutoCloseable {

    static final PlanManifests NO_MANIFESTS =
            (_, _) -> new PlanManifests.Reading.Refused(List.of("stdin:1:1: not a manifest"));

    private final Dashboard dashboard;
    private final HttpClient http = HttpClient.newHttpClient();
    private String cookie = "";

    DashboardClient(FakeCluster cluster) {
        this(cluster, Clock.systemUTC());
    }

    DashboardClient(FakeCluster cluster, Clock clock) {
        dashboard = Dashboard.start(cluster, options(clock));
    }

    static DashboardOptions options(Clock clock) {
        var identity =
                new ClusterIdentity("lab", "https://lab:6443", "jane", "default", true, "1.0");
        return DashboardOptions.of(identity, "e", NO_MANIFESTS, clock)
                .withPage("dev/berth/dashboard/testpage/");
    }

    int port() {
        return dashboard.port();
    }

    /// A new one-time token.
    String token() {
        var fragment = dashboard.loginUri().getFragment();
        return fragment.substring("token=".length());
    }

    HttpResponse<String> login(String token) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(uri("/ui/api/session"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"token\":\"%s\"}".formatted(token))));
    }

    /// Logs in and waits until the cluster was read.
    DashboardClient loggedIn() throws IOException, InterruptedException {
        var answer = login(token());
        var set = answer.headers().firstValue("Set-Cookie").orElseThrow();
        cookie = set.substring(0, set.indexOf(';'));
        Eventually.holds("the fleet is loaded", () -> get("/ui/api/fleet").statusCode() == 200);
        return this;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        var complete = cookie.isEmpty() ? request : request.header("Cookie", cookie);
        return http.send(complete.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(uri(path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
    }

    JsonObject json(String path) throws IOException, InterruptedException {
        return parse(get(path).body());
    }

    static JsonObject parse(String text) {
        if (JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(text);
    }

    /// The event stream after a revision.
    InputStream events(String from) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(uri("/ui/api/events?from=" + from)).header("Cookie", cookie);
        return http.send(request.build(), BodyHandlers.ofInputStream()).body();
    }

    /// One row of the nodes of the fleet; empty before the node is known.
    Optional<String> state(String node) throws IOException, InterruptedException {
        var nodes = json("/ui/api/fleet").objectOrEmpty("nodes");
        var at = nodes.strings("name").indexOf(node);
        return at < 0 ? Optional.empty() : Optional.of(nodes.strings("state").get(at));
    }

    @Override
    public void close() {
        http.close();
        dashboard.close();
    }
}
