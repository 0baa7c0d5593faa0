package dev.berth.node.runtime;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import java.time.Instant;
import java.util.List;

/// Observed state of a pod sandbox.
///
/// @param isReady false if it has ended and a new one is needed
/// @param addresses of the pod; empty for none, and on the host network
public record SandboxState(
        String id,
        ObjectRef pod,
        Uid uid,
        int attempt,
        boolean isReady,
        Instant createdAt,
        List<String> addresses) {

    public SandboxState {
        addresses = List.copyOf(addresses);
    }
}
