package dev.berth.app.conformance;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.file.TemporaryDirectory;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.auth.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Cases of requests to an API server. One server is started per set of feature gates.
final class HttpSuite implements Suite, AutoCloseable {

    private static final List<String> SET_BY_SERVER =
            List.of("uid", "resourceVersion", "managedFields", "creationTimestamp");

    /// A server and its client.
    private record Running(ApiServer server, HttpClient client) {}

    private final TemporaryDirectory directory = TemporaryDirectory.create("berth-conformance");
    private final Map<String, Running> servers = new LinkedHashMap<>();

    @Override
    public Optional<Difference> compare(JsonObject recorded) {
        var request = recorded.objectOrEmpty("request");
        var running = servers.computeIfAbsent(recorded.text("gates"), this::start);
        var object = recorded.objectOrEmpty("object");
        namespace(request.text("path")).ifPresent(name -> makeNamespace(running, name));
        var answer = send(running, request, object);
        var sent = JsonWriter.compact(object);
        var expected = withoutNow(expected(recorded), sent);
        var actual = withoutNow(actual(answer), sent);
        return expected.equals(actual)
                ? Optional.empty()
                : Optional.of(
                        new Difference(JsonWriter.compact(expected), JsonWriter.compact(actual)));
    }

    private Running start(String gates) {
        var settings =
                ServerSettings.in(directory.path().resolve(gates))
                        .withStore(new StoreChoice.Memory())
                        .withAddress("127.0.0.1", 0)
                        .withGates(
                                gates.equals("all") ? FeatureGates.all() : FeatureGates.defaults());
        var server = ApiServer.start(settings);
        var admin = server.authority().issueClient("admin", List.of("system:masters"));
        var client =
                HttpClient.newBuilder()
                        .sslContext(ServerTls.context(server.authority(), admin))
                        .build();
        return new Running(server, client);
    }

    private static Optional<String> namespace(String path) {
        var parts = List.of(path.split("/", -1));
        var at = parts.indexOf("namespaces");
        return at < 0 || at + 2 >= parts.size() ? Optional.empty() : Optional.of(parts.get(at + 1));
    }

    private static void makeNamespace(Running running, String name) {
        if (running.server.registry().objects().get("namespaces", "", name).isEmpty()) {
            send(
                    running,
                    JsonObject.of("method", Json.of("POST"))
                            .with("path", Json.of("/api/v1/namespaces")),
                    JsonObject.of("metadata", JsonObject.of("name", Json.of(name))));
        }
    }

    /// Removes times set by the server, which differ from run to run.
    private static JsonObject withoutNow(JsonObject object, String sent) {
        var members = new LinkedHashMap<String, Json>();
        object.members()
                .forEach((name, value) -> {
                    if (!name.equals("timeAdded") || sent.contains(JsonWriter.compact(value))) {
                        members.put(name, withoutNow(value, sent));
                    }
                });
        return new JsonObject(members);
    }

    private static Json withoutNow(Json value, String sent) {
        return switch (value) {
            case JsonObject object -> withoutNow(object, sent);
            case Json.JsonArray(var items) ->
                    Json.array(items.stream().map(item -> withoutNow(item, sent)).toList());
            default -> value;
        };
    }

    private record Answer(int status, JsonObject body) {}

    private static Answer send(Running running, JsonObject request, JsonObject object) {
        try {
            var response =
                    running.client.send(
                            HttpRequest.newBuilder(
                                            running.server.uri().resolve(request.text("path")))
                                    .header("Content-Type", "application/json")
                                    .method(
                                            request.text("method"),
                                            BodyPublishers.ofString(JsonWriter.compact(object)))
                                    .build(),
                            BodyHandlers.ofByteArray());
            var body =
                    JsonReader.read(response.body()) instanceof ParseResult.Documents(var documents)
                                    && documents.getFirst().root() instanceof JsonObject read
                            ? read
                            : JsonObject.EMPTY;
            return new Answer(response.statusCode(), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static JsonObject expected(JsonObject recorded) {
        return recorded.object("stored")
                .map(stored -> accepted(recorded, stored))
                .orElseGet(() ->
                        refused(
                                recorded.number("httpStatus").orElse(0),
                                recorded.text("reason"),
                                recorded.objects("causes")));
    }

    private static JsonObject accepted(JsonObject recorded, JsonObject stored) {
        return JsonObject.of("status", Json.of(recorded.number("httpStatus").orElse(0)))
                .with("stored", comparable(stored));
    }

    private static JsonObject actual(Answer answer) {
        if (answer.status < 300) {
            return JsonObject.of("status", Json.of(answer.status))
                    .with("stored", comparable(answer.body));
        }
        return refused(
                answer.status,
                answer.body.text("reason"),
                answer.body.objectOrEmpty("details").objects("causes"));
    }

    private static JsonObject refused(long status, String reason, List<JsonObject> causes) {
        var set = new TreeSet<String>();
        causes.forEach(cause -> set.add(cause.text("reason") + " " + cause.text("field")));
        return JsonObject.of("status", Json.of(status))
                .with("reason", Json.of(reason))
                .with("causes", Json.array(set.stream().map(Json::of).toList()));
    }

    private static JsonObject comparable(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        for (var name : SET_BY_SERVER) {
            metadata = metadata.without(name);
        }
        return sorted(object.with("metadata", metadata));
    }

    /// The object with members sorted by name, so that equal objects are equal texts.
    private static JsonObject sorted(JsonObject object) {
        return (JsonObject) sortedValue(object);
    }

    private static Json sortedValue(Json value) {
        return switch (value) {
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                object.members().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(member ->
                                members.put(member.getKey(), sortedValue(member.getValue())));
                yield new JsonObject(members);
            }
            case Json.JsonArray(var items) ->
                    Json.array(items.stream().map(HttpSuite::sortedValue).toList());
            default -> value;
        };
    }

    @Override
    public void close() {
        servers.values()
                .forEach(running -> {
                    running.client.close();
                    running.server.close();
                });
        directory.close();
    }
}
