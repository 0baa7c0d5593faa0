package dev.berth.app.node;

import dev.berth.node.cri.CriRuntime;
import dev.berth.node.oci.OciOptions;
import dev.berth.node.oci.OciRuntime;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.RuntimeFailure;
import java.nio.file.Path;
import java.time.Clock;

/// The container runtime of a node.
public sealed interface RuntimeChoice {

    /// conmon and runc, without a daemon.
    record Oci(OciOptions settings) implements RuntimeChoice {}

    /// A CRI runtime on a unix socket.
    record Cri(Path socket) implements RuntimeChoice {}

    /// Starts the runtime or connects to it.
    ///
    /// @throws RuntimeFailure with the missing requirement and how to install it
    default ContainerRuntime start(Clock clock) throws RuntimeFailure {
        return switch (this) {
            case Oci(var settings) -> OciRuntime.start(settings, clock);
            case Cri(var socket) -> CriRuntime.connect(socket);
        };
    }
}
