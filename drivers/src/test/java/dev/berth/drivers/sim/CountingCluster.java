package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts writes to pods.
record CountingCluster(Cluster inner, AtomicInteger writes) implements Cluster {

    CountingCluster(Cluster inner) {
        this(inner, new AtomicInteger());
    }

    @Override
    public RequestResult send(Request request) {
        if (!(request instanceof Request.Get)
                && request.address().equals(ResourcePath.of(Kinds.POD))) {
            writes.incrementAndGet();
        }
        return inner.send(request);
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return inner.watch(kind, selector, handler);
    }

    @Override
    public Subscription watch(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        return inner.watch(address, selector, handler);
    }

    @Override
    public void close() {
        inner.close();
    }
}
