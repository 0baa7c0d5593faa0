package dev.berth.client.http;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ConfigException;
import dev.berth.model.api.meta.KubernetesObject;
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

/// A client of a Kubernetes API server over HTTPS: Berth's or any other from 1.32 on.
public final class HttpCluster implements Cluster {

    private final ClusterAccess access;
    private final ClientOptions options;
    private final ApiConnection connection;
    private final RetryingClient client;
    private final ServedVersions versions;
    private final NegotiatedEncodings encodings;
    private final Codec codec = new Codec();
    private final List<HttpReflector<?>> subscriptions = new CopyOnWriteArrayList<>();

    /// Does not connect yet.
    public HttpCluster(ClusterAccess access, ClientOptions options) {
        this.access = access;
        this.options = options;
        this.connection = new ApiConnection(access, options);
        this.client = new RetryingClient(connection, options.requestTimeout(), options.random());
        this.versions = new ServedVersions(client);
        this.encodings = new NegotiatedEncodings(options.encoding());
    }

    /// The server's `/version`, as `kubectl version` shows it.
    public RequestResult version() {
        return attempt(() -> {
            var response = client.exchange(HttpCall.get("/version"));
            return ApiResponses.result(response, encodings.of(response), object -> object);
        });
    }

    @Override
    public String description() {
        return access.toString();
    }

    @Override
    public RequestResult send(Request request) {
        return attempt(() -> {
            var served = versions.of(request.address());
            var call = call(request, served);
            var response = client.exchange(call);
            if (encodings.isRefused(call, response)) {
                response = client.exchange(call(request, served));
            }
            var result = result(response, request, served);
            // Protobuf that could not be decoded completely is requested again as JSON.
            return call.isRead() && !call.accept().equals(encodings.accept(served.address()))
                    ? result(client.exchange(call(request, served)), request, served)
                    : result;
        });
    }

    private RequestResult result(
            ApiResponse<byte[]> response, Request request, ServedVersions.Served served) {
        return ApiResponses.result(
                response,
                encodings.of(response),
                object -> converted(object, served, request.address()));
    }

    /// Calls that need a response of the server.
    @FunctionalInterface
    private interface Exchange {
        RequestResult hold() throws IOException, InterruptedException;
    }

    private static RequestResult attempt(Exchange exchange) {
        try {
            return exchange.hold();
        } catch (IOException | ConfigException e) {
            return new RequestResult.Unavailable(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new RequestResult.Unavailable("interrupted while waiting for the response");
        }
    }

    private static JsonObject converted(
            JsonObject object, ServedVersions.Served served, ResourcePath address) {
        var from = served.address().version();
        return served.kind().isEmpty()
                        || from.equals(address.version())
                        || !object.text("kind").equals(served.kind().get().name())
                ? object
                : ApiVersions.convert(served.kind().get(), from, address.version(), object);
    }

    private HttpCall call(Request request, ServedVersions.Served served) {
        return switch (request) {
            case Request.Get(_, var namespace, var name) ->
                    HttpCall.get(served.address().path(namespace, name, ""))
                            .accepting(encodings.accept(served.address()));
            case Request.Create(_, var namespace, var name, var sub, var object) ->
                    written("POST", served, served.address().path(namespace, name, sub), object);
            case Request.Update(_, var namespace, var name, var sub, var object) ->
                    written("PUT", served, served.address().path(namespace, name, sub), object);
            case Request.Patch patch -> patch(patch, served);
            case Request.Delete delete ->
                    new HttpCall(
                            "DELETE",
                            served.address().path(delete.namespace(), delete.name(), ""),
                            Map.of(),
                            encodings.accept(served.address()),
                            body(HttpCall.JSON, options(delete)));
        };
    }

    private HttpCall written(
            String method, ServedVersions.Served served, String path, JsonObject object) {
        return new HttpCall(
                method,
                path,
                Map.of("fieldManager", options.manager()),
                encodings.accept(served.address()),
                Optional.of(encodings.body(toServedVersion(object, served))));
    }

    private static Optional<HttpCall.Body> body(String type, Json tree) {
        return Optional.of(HttpCall.Body.of(type, JsonWriter.compact(tree)));
    }

    /// Patches that are partial objects of the kind are converted like objects; lists of operations
    /// are not.
    private HttpCall patch(Request.Patch patch, ServedVersions.Served served) {
        var body =
                patch.patch() instanceof JsonObject object
                                && !served.address().equals(patch.address())
                        ? toServedVersion(object, served)
                        : patch.patch();
        var call =
                new HttpCall(
                        "PATCH",
                        served.address().path(patch.namespace(), patch.name(), patch.subresource()),
                        Map.of("fieldManager", options.manager()),
                        encodings.accept(served.address()),
                        body(patch.type().mediaType(), body));
        return patch.type() == Request.PatchType.APPLY ? call.with("force", "true") : call;
    }

    /// Converts an object to the server's version. Objects of other kinds, such as bindings, are
    /// not converted.
    private static JsonObject toServedVersion(JsonObject object, ServedVersions.Served served) {
        if (served.kind().isEmpty()) {
            return object;
        }
        var kind = served.kind().get();
        var apiVersion = object.text("apiVersion");
        var from =
                apiVersion.isEmpty()
                        ? kind.version()
                        : apiVersion.substring(apiVersion.indexOf('/') + 1);
        return from.equals(served.address().version())
                        || !(object.text("kind").isEmpty()
                                || object.text("kind").equals(kind.name()))
                ? object
                : ApiVersions.convert(kind, from, served.address().version(), object);
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
                        connection, versions, encodings, options, source, selector, handler);
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
