package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts in order what a runtime has left that was killed: what it had only begun to make is
/// removed, what it had begun to remove too, what it was about to start is started.
final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final OciServices parts;
    private final OciRuntime runtime;

    Recovery(OciServices parts, OciRuntime runtime) {
        this.parts = parts;
        this.runtime = runtime;
    }

    /// Something to be done.
    private interface Step {
        void run() throws RuntimeFailure;
    }

    void run() {
        for (var container : parts.containers().all()) {
            if (isUnfinished(container)) {
                attempt(container.id(), () -> runtime.removeContainer(container.id()));
            } else if (container.stage() == ContainerRecord.Stage.STARTED
                    && container.boot().equals(parts.machine().boot())) {
                attempt(container.id(), () -> parts.runc().startIfCreated(container.id()));
            }
        }
        for (var sandbox : parts.sandboxes().all()) {
            if (sandbox.stage() != SandboxRecord.Stage.READY) {
                attempt(sandbox.id(), () -> runtime.removeSandbox(sandbox.id()));
            }
        }
    }

    private boolean isUnfinished(ContainerRecord container) {
        return container.stage() == ContainerRecord.Stage.MAKING
                || container.stage() == ContainerRecord.Stage.REMOVING
                || parts.sandboxes().find(container.sandbox()).isEmpty();
    }

    /// One that cannot be put in order must not keep the others from it; it is tried again at the
    /// next start.
    private static void attempt(String id, Step step) {
        try {
            step.run();
        } catch (RuntimeFailure e) {
            LOG.warn("{} was left unfinished and cannot be put in order: {}", id, e.getMessage());
        }
    }
}
