package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Recovers the state that a killed runtime left: removes what it had only begun to create or to
/// remove, and starts what it was about to start.
final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final OciServices services;
    private final OciRuntime runtime;

    Recovery(OciServices services, OciRuntime runtime) {
        this.services = services;
        this.runtime = runtime;
    }

    /// A recovery step.
    private interface Step {
        void run() throws RuntimeFailure;
    }

    void run() {
        for (var container : services.containers().all()) {
            if (isUnfinished(container)) {
                attempt(container.id(), () -> runtime.removeContainer(container.id()));
            } else if (container.stage() == ContainerRecord.Stage.STARTED
                    && container.boot().equals(services.privileges().boot())) {
                attempt(container.id(), () -> services.runc().startIfCreated(container.id()));
            }
        }
        for (var sandbox : services.sandboxes().all()) {
            if (sandbox.stage() != SandboxRecord.Stage.READY) {
                attempt(sandbox.id(), () -> runtime.removeSandbox(sandbox.id()));
            }
        }
    }

    private boolean isUnfinished(ContainerRecord container) {
        return container.stage() == ContainerRecord.Stage.MAKING
                || container.stage() == ContainerRecord.Stage.REMOVING
                || services.sandboxes().find(container.sandbox()).isEmpty();
    }

    /// A failed step must not prevent the others; it is retried at the next start.
    private static void attempt(String id, Step step) {
        try {
            step.run();
        } catch (RuntimeFailure e) {
            LOG.warn("cannot recover {}: {}", id, e.getMessage());
        }
    }
}
