package dev.berth.app.ui;

import dev.berth.dashboard.Dashboard;
import dev.berth.dashboard.http.DashboardServer;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The dashboard of a running cluster, as `berth up` describes it in the private file
/// `dashboard.json` of its data directory.
///
/// @param secret with which commands of the same user ask for login tokens
record DashboardRecord(int port, String secret) {

    private static final String FILE = "dashboard.json";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;

    static DashboardRecord of(Dashboard dashboard) {
        return new DashboardRecord(dashboard.port(), dashboard.issuerSecret());
    }

    static Optional<DashboardRecord> read(Path directory) {
        var file = directory.resolve(FILE);
        try {
            if (!Files.exists(file)
                    || !(JsonReader.read(Files.readString(file))
                            instanceof ParseResult.Documents(var documents))
                    || documents.isEmpty()
                    || !(documents.getFirst().root() instanceof JsonObject tree)) {
                return Optional.empty();
            }
            var port = (int) tree.number("port").orElse(0);
            return port == 0
                    ? Optional.empty()
                    : Optional.of(new DashboardRecord(port, tree.text("secret")));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    void write(Path directory) {
        var tree = JsonObject.of("port", Json.of(port)).with("secret", Json.of(secret));
        try {
            PrivateFile.write(directory.resolve(FILE), JsonWriter.pretty(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write %s: %s".formatted(directory.resolve(FILE), e.getMessage()), e);
        }
    }

    static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot delete %s: %s".formatted(directory.resolve(FILE), e.getMessage()), e);
        }
    }

    /// A URL with a new token; empty when the dashboard does not answer.
    Optional<URI> loginUri() throws InterruptedException {
        var request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:%d/ui/api/token".formatted(port)))
                        .timeout(TIMEOUT)
                        .header("Authorization", "Bearer " + secret)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        try (var client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            var response = client.send(request, BodyHandlers.ofString());
            return response.statusCode() == OK
                    ? Optional.of(DashboardServer.loginUri(port, response.body()))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
