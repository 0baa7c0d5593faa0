package dev.berth.control.loop;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// One mirror of each kind, for all loops together: every change is read once.
///
/// Loops ask for mirrors while they are made; [#start] fills them. Used by one thread.
public final class SharedCaches implements AutoCloseable {

    private final Cluster cluster;
    private final Map<ResourcePath, ObjectCache<?>> mirrors = new LinkedHashMap<>();
    private final List<Supplier<Cluster.Subscription>> unwatched = new ArrayList<>();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();

    public SharedCaches(Cluster cluster) {
        this.cluster = cluster;
    }

    // The mirror of an address was made for the kind of that address.
    @SuppressWarnings("unchecked")
    public <T extends KubernetesObject> ObjectCache<T> of(Kind<T> kind) {
        return (ObjectCache<T>)
                mirrors.computeIfAbsent(
                        ResourcePath.of(kind),
                        _ -> {
                            var mirror = ObjectCache.<T>ofRecords();
                            unwatched.add(() -> cluster.watch(kind, "", mirror));
                            return mirror;
                        });
    }

    // Addresses are either those of kinds or plain: nobody asks for one in both ways.
    @SuppressWarnings("unchecked")
    public ObjectCache<JsonObject> of(ResourcePath address) {
        return (ObjectCache<JsonObject>)
                mirrors.computeIfAbsent(
                        address,
                        _ -> {
                            var mirror = ObjectCache.ofJson();
                            unwatched.add(() -> cluster.watch(address, "", mirror));
                            return mirror;
                        });
    }

    /// A mirror of a kind that is not looked at here: there is nothing in it, ever.
    public static <T extends KubernetesObject> ObjectCache<T> empty() {
        var mirror = ObjectCache.<T>ofRecords();
        mirror.replaceAll(List.of());
        return mirror;
    }

    /// Fills all mirrors and keeps them true.
    public void start() {
        unwatched.forEach(watch -> subscriptions.add(watch.get()));
        unwatched.clear();
    }

    @Override
    public void close() {
        subscriptions.forEach(Cluster.Subscription::close);
    }
}
