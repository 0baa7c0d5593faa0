package dev.berth.node.pod;

import java.time.Instant;
import java.util.Optional;

/// Something to be done for a pod.
public sealed interface PodAction {

    /// Sees to it that the pod's volumes are there.
    record Mount() implements PodAction {}

    /// Has the pod's claims prepared.
    record Prepare() implements PodAction {}

    record CreateSandbox(int attempt) implements PodAction {}

    /// Ends a sandbox and all that is in it. What is known of its containers is lost, so the
    /// cluster has to have been told.
    record RemoveSandbox(String sandbox) implements PodAction {}

    record Start(String container, int attempt) implements PodAction {}

    /// Begins to end a container, and does not wait.
    ///
    /// @param by when it has to have ended
    /// @param preStop what to do first
    record Stop(
            String id,
            String container,
            Instant by,
            String because,
            Optional<LifecycleHandler> preStop)
            implements PodAction {}

    record RemoveContainer(String id) implements PodAction {}

    /// Has the pod's claims unprepared.
    record Unprepare() implements PodAction {}

    /// Takes down volumes and what else was made for the pod, but for its logs.
    record TakeDown() implements PodAction {}

    /// Deletes the pod from the cluster, now that nothing of it is left.
    record Delete() implements PodAction {}

    /// Forgets the pod, which is gone from the cluster, and its logs.
    record Forget() implements PodAction {}

    /// Tells people.
    record Tell(boolean isWarning, String reason, String message) implements PodAction {}
}
