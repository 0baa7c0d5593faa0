package dev.berth.server.clients;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.server.ApiServer;
import dev.berth.server.auth.ServerTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// A plain HTTP client without Kubernetes types.
final class Http implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /// A response.
    record Response(int code, HttpHeaders headers, String text) {

        JsonObject json() {
            return parsed(text);
        }

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        JsonObject metadata() {
            return json().objectOrEmpty("metadata");
        }

        List<String> names() {
            return json().objects("items").stream()
                    .map(item -> item.objectOrEmpty("metadata").text("name"))
                    .toList();
        }
    }

    private final URI server;
    private final HttpClient client;

    private Http(URI server, HttpClient client) {
        this.server = server;
        this.client = client;
    }

    /// A client with the administrator's credentials.
    static Http admin(ApiServer server) {
        return as(server, "admin", List.of("system:masters"));
    }

    static Http as(ApiServer server, String user, List<String> groups) {
        var credential = server.authority().issueClient(user, groups);
        var tls = ServerTls.context(server.authority(), credential);
        return new Http(server.uri(), HttpClient.newBuilder().sslContext(tls).build());
    }

    static Http anonymous(ApiServer server) {
        var tls = ServerTls.context(server.authority());
        return new Http(server.uri(), HttpClient.newBuilder().sslContext(tls).build());
    }

    static JsonObject parsed(String text) {
        if (JsonReader.read(text.getBytes(StandardCharsets.UTF_8))
                        instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new AssertionError("no object: " + text);
    }

    HttpClient client() {
        return client;
    }

    URI uri(String path) {
        return server.resolve(path);
    }

    Response get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    Response post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    Response put(String path, String body) {
        return send("PUT", path, body);
    }

    Response delete(String path, String body) {
        return send("DELETE", path, body);
    }

    /// Sends a patch.
    ///
    /// @param type the middle of the content type: `json`, `merge`, `strategic-merge` or `apply`
    Response patch(String path, String type, String body) {
        var media =
                "application/%s-patch+%s".formatted(type, type.equals("apply") ? "yaml" : "json");
        return send("PATCH", path, body, "Content-Type", media);
    }

    Response send(String method, String path, String body, String... headers) {
        return answer(request(method, path, body, headers));
    }

    /// Sends an object in the protobuf encoding.
    Response sendProtobuf(String method, String path, byte[] body) {
        return answer(
                HttpRequest.newBuilder(uri(path))
                        .timeout(TIMEOUT)
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                        .header("Content-Type", "application/vnd.kubernetes.protobuf")
                        .build());
    }

    private Response answer(HttpRequest request) {
        try {
            var response = client.send(request, text());
            return new Response(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static HttpResponse.BodyHandler<String> text() {
        return HttpResponse.BodyHandlers.ofString();
    }

    HttpRequest request(String method, String path, String body, String... headers) {
        var publisher =
                body.isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body);
        var builder = HttpRequest.newBuilder(uri(path)).timeout(TIMEOUT).method(method, publisher);
        return (headers.length == 0 ? builder : builder.headers(headers)).build();
    }

    /// Starts a watch.
    Events watch(String path) {
        try {
            var response =
                    client.send(
                            request("GET", path, ""), HttpResponse.BodyHandlers.ofInputStream());
            return new Events(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The events of a watch.
    static final class Events implements AutoCloseable {
        private final int code;
        private final BufferedReader lines;

        private Events(int code, InputStream body) {
            this.code = code;
            this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        int code() {
            return code;
        }

        /// Type and name of the next event, or `end`.
        String next() {
            var event = nextEvent();
            return event.isEmpty()
                    ? "end"
                    : event.text("type")
                            + " "
                            + event.objectOrEmpty("object").objectOrEmpty("metadata").text("name");
        }

        /// The next event; empty at the end.
        JsonObject nextEvent() {
            try {
                var line = lines.readLine();
                return line == null ? JsonObject.EMPTY : parsed(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                lines.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
