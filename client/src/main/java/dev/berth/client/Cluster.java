package dev.berth.client;

import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;

/// A cluster, wherever it is: in this process, behind an address, or in files.
///
/// Methods may be called from any thread. What is followed arrives on threads of the cluster's own,
/// for one follower one after the other.
public interface Cluster extends AutoCloseable {

    /// Names the cluster in messages: the address of its API server and the file that it was read
    /// from.
    default String description() {
        return "of this process";
    }

    /// Carries out a request; waits until it is answered.
    RequestResult send(Request request);

    /// Tells a follower everything of a kind, then every change, until it is closed; survives the
    /// loss of connections and restarts of the server.
    ///
    /// @param selector of fields, such as `spec.nodeName=a`; empty for all
    <T extends KubernetesObject> Following follow(
            Kind<T> kind, String selector, Follower<T> follower);

    /// The same for kinds that have no record here.
    Following follow(ResourcePath address, String selector, Follower<JsonObject> follower);

    /// Somebody who wants to know of all objects of a kind.
    interface Follower<T> {

        /// Everything that there is; whatever was told before and is not here is gone.
        void replaceAll(Iterable<T> objects);

        /// An object that is new or has changed.
        void put(T object);

        /// An object that is gone, as it was last.
        void remove(T object);

        /// The server lets nobody of our name see these objects. It is asked again and again, and
        /// what there is will be told once it allows that.
        default void refuse(String message) {}

        /// Has changes told that happened at about the same time. Who passes on what it is told may
        /// pass them on at once.
        default void together(Runnable tellings) {
            tellings.run();
        }
    }

    /// Being told. Closing it ends that.
    interface Following extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    void close();
}
