package dev.berth.client.http;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ConfigException;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.ApiVersions;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A Kubernetes API server behind an address, ours or any other from 1.32 on.
public final class HttpCluster implements Cluster {

    private final ClusterAccess access;
    private final ClientOptions settings;
    private final ApiConnection connection;
    private final RetryingClient asking;
    private final ServedVersions versions;
    private final NegotiatedEncodings encodings;
    private final Codec codec = new Codec();
    private final List<HttpReflector<?>> subscriptions = new CopyOnWriteArrayList<>();

    /// Does not speak with the server yet.
    public HttpCluster(ClusterAccess access, ClientOptions settings) {
        this.access = access;
        this.settings = settings;
        this.connection = new ApiConnection(access, settings);
        this.asking = new RetryingClient(connection, settings.requestTimeout(), settings.random());
        this.versions = new ServedVersions(asking);
        this.encodings = new NegotiatedEncodings(settings.encoding());
    }

    /// What the server says of itself, as `kubectl version` shows it.
    public RequestResult version() {
        return answered(() -> {
            var answer = asking.ask(HttpCall.get("/version"));
            return ApiResponses.outcome(answer, encodings.of(answer), said -> said);
        });
    }

    @Override
    public String description() {
        return access.toString();
    }

    @Override
    public RequestResult send(Request request) {
        return answered(() -> {
            var spoken = versions.of(request.address());
            var call = call(request, spoken);
            var answer = asking.ask(call);
            if (encodings.isRefused(call, answer)) {
                answer = asking.ask(call(request, spoken));
            }
            var outcome = outcome(answer, request, spoken);
            // Protobuf that could not be decoded completely is read again as JSON.
            return call.isRead() && !call.accept().equals(encodings.accept(spoken.address()))
                    ? outcome(asking.ask(call(request, spoken)), request, spoken)
                    : outcome;
        });
    }

    private RequestResult outcome(
            ApiResponse<byte[]> answer, Request request, ServedVersions.Spoken spoken) {
        return ApiResponses.outcome(
                answer,
                encodings.of(answer),
                object -> converted(object, spoken, request.address()));
    }

    /// Something that takes a server that answers.
    @FunctionalInterface
    private interface Conversation {
        RequestResult hold() throws IOException, InterruptedException;
    }

    private static RequestResult answered(Conversation conversation) {
        try {
            return conversation.hold();
        } catch (IOException | ConfigException e) {
            return new RequestResult.Unavailable(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new RequestResult.Unavailable("interrupted while waiting for the server");
        }
    }

    private static JsonObject converted(
            JsonObject object, ServedVersions.Spoken spoken, ResourcePath address) {
        var from = spoken.address().version();
        return spoken.kind().isEmpty()
                        || from.equals(address.version())
                        || !object.text("kind").equals(spoken.kind().get().name())
                ? object
                : ApiVersions.convert(spoken.kind().get(), from, address.version(), object);
    }

    private HttpCall call(Request request, ServedVersions.Spoken spoken) {
        return switch (request) {
            case Request.Get(_, var namespace, var name) ->
                    HttpCall.get(spoken.address().path(namespace, name, ""))
                            .accepting(encodings.accept(spoken.address()));
            case Request.Create(_, var namespace, var name, var sub, var object) ->
                    written("POST", spoken, spoken.address().path(namespace, name, sub), object);
            case Request.Update(_, var namespace, var name, var sub, var object) ->
                    written("PUT", spoken, spoken.address().path(namespace, name, sub), object);
            case Request.Patch patch -> patch(patch, spoken);
            case Request.Delete delete ->
                    new HttpCall(
                            "DELETE",
                            spoken.address().path(delete.namespace(), delete.name(), ""),
                            Map.of(),
                            encodings.accept(spoken.address()),
                            body(HttpCall.JSON, options(delete)));
        };
    }

    private HttpCall written(
            String method, ServedVersions.Spoken spoken, String path, JsonObject object) {
        return new HttpCall(
                method,
                path,
                Map.of("fieldManager", settings.manager()),
                encodings.accept(spoken.address()),
                Optional.of(encodings.body(spoken(object, spoken))));
    }

    private static Optional<HttpCall.Body> body(String type, Json tree) {
        return Optional.of(HttpCall.Body.of(type, JsonWriter.compact(tree)));
    }

    /// Patches that are objects of the kind are converted like them; lists of operations are not.
    private HttpCall patch(Request.Patch patch, ServedVersions.Spoken spoken) {
        var body =
                patch.patch() instanceof JsonObject object
                                && !spoken.address().equals(patch.address())
                        ? spoken(object, spoken)
                        : patch.patch();
        var call =
                new HttpCall(
                        "PATCH",
                        spoken.address().path(patch.namespace(), patch.name(), patch.subresource()),
                        Map.of("fieldManager", settings.manager()),
                        encodings.accept(spoken.address()),
                        body(patch.style().mediaType(), body));
        return patch.style() == Request.Style.APPLY ? call.with("force", "true") : call;
    }

    /// An object of the server's version. What is no object of the kind, as a binding, stays.
    private static JsonObject spoken(JsonObject object, ServedVersions.Spoken spoken) {
        if (spoken.kind().isEmpty()) {
            return object;
        }
        var kind = spoken.kind().get();
        var said = object.text("apiVersion");
        var from = said.isEmpty() ? kind.version() : said.substring(said.indexOf('/') + 1);
        return from.equals(spoken.address().version())
                        || !(object.text("kind").isEmpty()
                                || object.text("kind").equals(kind.name()))
                ? object
                : ApiVersions.convert(kind, from, spoken.address().version(), object);
    }

    private static JsonObject options(Request.Delete delete) {
        var options =
                JsonObject.of("apiVersion", Json.of("v1")).with("kind", Json.of("DeleteOptions"));
        if (delete.uid().isPresent()) {
            options =
                    options.with(
                            "preconditions", JsonObject.of("uid", Json.of(delete.uid().get())));
        }
        return delete.graceSeconds().isPresent()
                ? options.with("gracePeriodSeconds", Json.of(delete.graceSeconds().getAsLong()))
                : options;
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return watch(new RecordListWatch<>(codec, kind), selector, handler);
    }

    @Override
    public Subscription watch(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        return watch(new JsonListWatch(address), selector, handler);
    }

    private <T> Subscription watch(ListWatch<T> source, String selector, EventHandler<T> handler) {
        var subscription =
                new HttpReflector<>(
                        connection, versions, encodings, settings, source, selector, handler);
        subscriptions.add(subscription);
        var started = subscription.start();
        return () -> {
            subscriptions.remove(started);
            started.close();
        };
    }

    @Override
    public void close() {
        subscriptions.forEach(HttpReflector::close);
        connection.close();
    }
}
