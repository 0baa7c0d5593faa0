package dev.berth.node.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Container runtime: runs the containers of pods on this machine, in sandboxes that hold what a
/// pod's containers share.
///
/// Methods block and are thread-safe. Sandboxes and containers stay when the instance is closed,
/// and a later instance finds them. IDs are the runtime's own.
public interface ContainerRuntime extends AutoCloseable {

    /// Name and version, for the Node's status.
    RuntimeIdentity identity();

    /// The configuration of an image; empty if it is not on this machine and cannot be pulled.
    ///
    /// @param reference as in a pod
    Optional<ImageConfig> image(String reference) throws RuntimeFailure;

    /// The command that imports or pulls a missing image.
    default String importCommand(String reference) {
        return "crictl pull " + reference;
    }

    /// Creates and starts a sandbox.
    String createSandbox(SandboxSpec spec) throws RuntimeFailure;

    /// All sandboxes of all pods.
    List<SandboxState> sandboxes() throws RuntimeFailure;

    /// Stops and removes a sandbox with everything in it; succeeds if it does not exist.
    void removeSandbox(String sandbox) throws RuntimeFailure;

    /// Creates a container with its devices, without starting it.
    String createContainer(String sandbox, ContainerSpec spec) throws RuntimeFailure;

    void startContainer(String container) throws RuntimeFailure;

    /// Stops a container, by force after the grace period; succeeds if it has exited or does not
    /// exist.
    void stopContainer(String container, Duration grace) throws RuntimeFailure;

    /// Removes a container, stopping it if necessary; succeeds if it does not exist. Its log stays.
    void removeContainer(String container) throws RuntimeFailure;

    /// All containers of all pods.
    List<ContainerState> containers() throws RuntimeFailure;

    /// Reopens a container's log under the same name, after the old file was renamed. Returns when
    /// the new file exists.
    void reopenLog(String container) throws RuntimeFailure;

    /// Runs a command in a container to completion.
    ///
    /// @throws RuntimeFailure also on timeout, when the command is killed
    CommandResult run(String container, List<String> command, Duration timeout)
            throws RuntimeFailure;

    /// Starts an interactive command in a container.
    ///
    /// @param hasTerminal true to allocate a terminal
    CommandSession open(String container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure;

    /// Adds a listener for possible changes of containers, which then reads [#containers]. Not
    /// every change is notified, so listeners also poll.
    void onChange(Runnable listener);

    @Override
    void close();
}
