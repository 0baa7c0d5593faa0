package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// A kind that the scheduler watches.
///
/// @param plural its name in messages
/// @param onForbidden called when an optional kind is not readable; empty for required kinds
record WatchedKind<T>(
        String plural, Source<T> source, KindView<?, T> view, Optional<Runnable> onForbidden) {

    /// The watch of a kind.
    @FunctionalInterface
    interface Source<T> {
        Cluster.Subscription watch(Cluster cluster, Cluster.EventHandler<T> handler);
    }

    static <T extends KubernetesObject> WatchedKind<T> required(Kind<T> kind, KindView<?, T> view) {
        return new WatchedKind<>(kind.plural(), source(kind), view, Optional.empty());
    }

    /// A kind without which pods that do not need it are still scheduled.
    static <T extends KubernetesObject> WatchedKind<T> optional(
            Kind<T> kind, KindView<?, T> view, Runnable onForbidden) {
        return new WatchedKind<>(kind.plural(), source(kind), view, Optional.of(onForbidden));
    }

    static WatchedKind<JsonObject> optional(
            ResourcePath path, KindView<?, JsonObject> view, Runnable onForbidden) {
        return new WatchedKind<>(
                path.plural(),
                (cluster, handler) -> cluster.watch(path, "", handler),
                view,
                Optional.of(onForbidden));
    }

    private static <T extends KubernetesObject> Source<T> source(Kind<T> kind) {
        return (cluster, handler) -> cluster.watch(kind, "", handler);
    }
}
