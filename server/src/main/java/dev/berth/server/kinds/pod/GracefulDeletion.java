package dev.berth.server.kinds.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.DeletionStrategy;
import java.util.OptionalLong;
import java.util.Set;

/// Graceful deletion of pods and namespaces.
public final class GracefulDeletion {

    /// A pod that is bound to a node gets a grace period; other pods are deleted at once.
    public static final DeletionStrategy POD =
            new DeletionStrategy() {
                private static final long USUAL_SECONDS = 30;
                private static final Set<String> OVER = Set.of("Succeeded", "Failed");

                @Override
                public long graceSeconds(JsonObject pod, OptionalLong requested) {
                    var spec = pod.objectOrEmpty("spec");
                    if (spec.text("nodeName").isEmpty()
                            || OVER.contains(pod.objectOrEmpty("status").text("phase"))) {
                        return 0;
                    }
                    return requested.orElseGet(() ->
                            Math.max(
                                    1,
                                    spec.number("terminationGracePeriodSeconds")
                                            .orElse(USUAL_SECONDS)));
                }
            };

    /// A namespace stays until its content is deleted.
    public static final DeletionStrategy NAMESPACE =
            new DeletionStrategy() {
                @Override
                public boolean isHeld(JsonObject namespace) {
                    return !namespace.objectOrEmpty("spec").strings("finalizers").isEmpty();
                }

                @Override
                public JsonObject terminating(JsonObject namespace) {
                    return namespace.with(
                            "status",
                            namespace
                                    .objectOrEmpty("status")
                                    .with("phase", Json.of("Terminating")));
                }
            };

    private GracefulDeletion() {}
}
