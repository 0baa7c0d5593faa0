package dev.berth.node.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Runs the containers of pods on this machine, in sandboxes that hold what a pod's containers
/// share.
///
/// Methods block and may be called from any thread. What was created stays when it is closed, and
/// an instance that is started later finds it again. Ids are the runtime's own.
public interface ContainerRuntime extends AutoCloseable {

    /// What it is, as a Node's status tells it.
    RuntimeIdentity identity();

    /// What an image says of itself; empty when it is not on this machine and cannot be had.
    ///
    /// @param reference as in a pod
    Optional<ImageConfig> image(String reference) throws RuntimeFailure;

    /// The command that brings a missing image onto this machine.
    default String importCommand(String reference) {
        return "crictl pull " + reference;
    }

    /// Makes a sandbox, and starts it.
    String createSandbox(SandboxSpec spec) throws RuntimeFailure;

    /// All sandboxes, of all pods.
    List<SandboxState> sandboxes() throws RuntimeFailure;

    /// Ends a sandbox and everything in it, and removes all of it; one that is gone is fine.
    void removeSandbox(String sandbox) throws RuntimeFailure;

    /// Makes a container with its devices, and does not start it.
    String createContainer(String sandbox, ContainerSpec spec) throws RuntimeFailure;

    void startContainer(String container) throws RuntimeFailure;

    /// Asks a container to end and, when it has not within the grace, ends it; one that has ended
    /// or is gone is fine.
    void stopContainer(String container, Duration grace) throws RuntimeFailure;

    /// Removes a container, ending it if need be; one that is gone is fine. Its log stays.
    void removeContainer(String container) throws RuntimeFailure;

    /// All containers, of all pods.
    List<ContainerState> containers() throws RuntimeFailure;

    /// Has a container's log go on in a new file of the same name, after the old file was renamed;
    /// returns when the new file is there.
    void reopenLog(String container) throws RuntimeFailure;

    /// Runs a command in a container, to its end.
    ///
    /// @throws RuntimeFailure also when it takes longer than the timeout; it is ended then
    CommandResult run(String container, List<String> command, Duration timeout)
            throws RuntimeFailure;

    /// Begins a command in a container for somebody who talks with it.
    ///
    /// @param hasTerminal true for one stream with the manners of a terminal
    CommandSession open(String container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure;

    /// Has somebody told that a container may have changed; they look at [#containers] then. What
    /// is not told is found by looking now and then.
    void onChange(Runnable listener);

    @Override
    void close();
}
