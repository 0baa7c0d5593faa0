package dev.berth.app.up;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what is written to pods.
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
    public <T extends KubernetesObject> Following follow(
            Kind<T> kind, String selector, Follower<T> follower) {
        return inner.follow(kind, selector, follower);
    }

    @Override
    public Following follow(ResourcePath address, String selector, Follower<JsonObject> follower) {
        return inner.follow(address, selector, follower);
    }

    @Override
    public void close() {
        inner.close();
    }
}
