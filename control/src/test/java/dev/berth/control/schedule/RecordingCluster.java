package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A cluster that records writes, counts reads, and returns one object for every read.
final class RecordingCluster implements Cluster {

    private final JsonObject object;
    private final Optional<Error> failure;
    private final List<Request> sent = new ArrayList<>();
    private int reads;

    RecordingCluster() {
        this(JsonObject.EMPTY);
    }

    RecordingCluster(JsonObject object) {
        this.object = object;
        this.failure = Optional.empty();
    }

    /// A cluster in which every request fails.
    RecordingCluster(Error failure) {
        this.object = JsonObject.EMPTY;
        this.failure = Optional.of(failure);
    }

    List<Request> sent() {
        return sent;
    }

    /// The number of objects that were read.
    int reads() {
        return reads;
    }

    @Override
    public RequestResult send(Request request) {
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (request instanceof Request.Get) {
            reads++;
            return new RequestResult.Done(object);
        }
        sent.add(request);
        return new RequestResult.Done(JsonObject.EMPTY);
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return () -> {};
    }

    @Override
    public Subscription watch(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        return () -> {};
    }

    @Override
    public void close() {}
}
