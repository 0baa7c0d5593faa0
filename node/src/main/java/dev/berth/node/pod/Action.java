package dev.berth.node.pod;

import java.time.Instant;
import java.util.Optional;

/// Something to be done for a pod.
public sealed interface Action {

    /// Sees to it that the pod's volumes are there.
    record Mount() implements Action {}

    /// Has the pod's claims prepared.
    record Prepare() implements Action {}

    record CreateSandbox(int attempt) implements Action {}

    /// Ends a sandbox and all that is in it. What is known of its containers is lost, so the
    /// cluster has to have been told.
    record RemoveSandbox(String sandbox) implements Action {}

    record Start(String container, int attempt) implements Action {}

    /// Begins to end a container, and does not wait.
    ///
    /// @param by when it has to have ended
    /// @param preStop what to do first
    record Stop(String id, String container, Instant by, String because, Optional<Handler> preStop)
            implements Action {}

    record RemoveContainer(String id) implements Action {}

    /// Has the pod's claims unprepared.
    record Unprepare() implements Action {}

    /// Takes down volumes and what else was made for the pod, but for its logs.
    record TakeDown() implements Action {}

    /// Deletes the pod from the cluster, now that nothing of it is left.
    record Delete() implements Action {}

    /// Forgets the pod, which is gone from the cluster, and its logs.
    record Forget() implements Action {}

    /// Tells people.
    record Tell(boolean isWarning, String reason, String message) implements Action {}
}
