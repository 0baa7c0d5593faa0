package dev.berth.node.runtime;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Uid;
import java.time.Instant;
import java.util.List;

/// A sandbox as it is.
///
/// @param isReady false when it has ended and a new one is needed
/// @param addresses of the pod; empty for none, and on the host's network
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
