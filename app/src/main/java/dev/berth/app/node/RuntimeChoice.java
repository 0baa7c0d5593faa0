package dev.berth.app.node;

import dev.berth.node.cri.CriRuntime;
import dev.berth.node.oci.OciRuntime;
import dev.berth.node.oci.OciSettings;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.RuntimeFailure;
import java.nio.file.Path;
import java.time.Clock;

/// What runs the containers of a node.
public sealed interface RuntimeChoice {

    /// conmon and runc, without a daemon.
    record Oci(OciSettings settings) implements RuntimeChoice {}

    /// A runtime that speaks CRI, on a socket.
    record Cri(Path socket) implements RuntimeChoice {}

    /// Starts it, or connects to it.
    ///
    /// @throws RuntimeFailure with what this machine lacks, and what to do about it
    default ContainerRuntime start(Clock clock) throws RuntimeFailure {
        return switch (this) {
            case Oci(var settings) -> OciRuntime.start(settings, clock);
            case Cri(var socket) -> CriRuntime.connect(socket);
        };
    }
}
