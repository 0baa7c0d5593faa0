package dev.berth.client;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;

/// A cluster that passes every call on to another one. Tests override the calls that they change or
/// count.
public abstract class ForwardingCluster implements Cluster {

    private final Cluster cluster;

    protected ForwardingCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public String description() {
        return cluster.description();
    }

    @Override
    public RequestResult send(Request request) {
        return cluster.send(request);
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return cluster.watch(kind, selector, handler);
    }

    @Override
    public Subscription watch(
            ResourcePath path, String selector, EventHandler<JsonObject> handler) {
        return cluster.watch(path, selector, handler);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
