package dev.berth.client;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;

/// A client of one cluster, as a kubeconfig context selects it: sends requests, and watches objects
/// with an informer's list-watch. Implementations reach an API server over HTTPS or in the same
/// process.
///
/// Methods may be called from any thread. Watched changes arrive on threads of the cluster's own;
/// the calls to one handler are sequential.
public interface Cluster extends AutoCloseable {

    /// Names the cluster in messages: the address of its API server and the file that it was read
    /// from.
    default String description() {
        return "of this process";
    }

    /// Sends a request and blocks until its response.
    RequestResult send(Request request);

    /// Passes all objects of a kind to a handler, then every change, until the subscription is
    /// closed. Lost connections and restarts of the server are survived by listing again.
    ///
    /// @param selector a field selector, such as `spec.nodeName=a`; empty for all objects
    <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler);

    /// Watches a kind without a record, as JSON.
    Subscription watch(ResourcePath path, String selector, EventHandler<JsonObject> handler);

    /// Receives all objects of a kind and their changes, as client-go's `ResourceEventHandler`.
    interface EventHandler<T> {

        /// The complete list. Objects passed before that are not in it have been deleted.
        void replaceAll(Iterable<T> objects);

        /// An object that was added or changed.
        void put(T object);

        /// An object that was deleted, in its last state.
        void remove(T object);

        /// The API server forbids to list or watch these objects. The list is retried;
        /// [#replaceAll] is called once it is permitted.
        default void onForbidden(String message) {}

        /// Runs the calls for several changes that arrived together, so that a handler that passes
        /// changes on can do so once for all of them.
        default void batch(Runnable changes) {
            changes.run();
        }
    }

    /// A running watch; closing it ends the watch.
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    void close();
}
