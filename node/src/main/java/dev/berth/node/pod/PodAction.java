package dev.berth.node.pod;

import java.time.Instant;
import java.util.Optional;

/// An action of the pod worker.
public sealed interface PodAction {

    /// Mounts the pod's volumes.
    record Mount() implements PodAction {}

    /// Prepares the pod's claims.
    record Prepare() implements PodAction {}

    record CreateSandbox(int attempt) implements PodAction {}

    /// Stops and removes a sandbox with its containers. Their state is lost, so the status must
    /// have been written.
    record RemoveSandbox(String sandbox) implements PodAction {}

    record Start(String container, int attempt) implements PodAction {}

    /// Begins to stop a container, without waiting.
    ///
    /// @param by deadline of the termination
    /// @param preStop hook to run first
    record Stop(
            String id,
            String container,
            Instant by,
            String message,
            Optional<LifecycleHandler> preStop)
            implements PodAction {}

    record RemoveContainer(String id) implements PodAction {}

    /// Unprepares the pod's claims.
    record Unprepare() implements PodAction {}

    /// Unmounts volumes and removes the pod's directory; logs stay.
    record Unmount() implements PodAction {}

    /// Deletes the pod from the cluster, after all its resources are released.
    record Delete() implements PodAction {}

    /// Removes the logs and the worker of a pod that no longer exists in the cluster.
    record Forget() implements PodAction {}

    /// Records an event of a container.
    record RecordEvent(String container, boolean isWarning, String reason, String message)
            implements PodAction {}
}
