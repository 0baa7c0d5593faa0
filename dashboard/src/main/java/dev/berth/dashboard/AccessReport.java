package dev.berth.dashboard;

import dev.berth.client.ResourcePath;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Map;
import java.util.Optional;

/// The resources that the user may not read, and what the page cannot show without them.
final class AccessReport {

    /// The ClusterRole with everything that the dashboard reads.
    private static final String ROLE = "berth-reader";

    private static final Map<String, String> EFFECTS =
            Map.of(
                    "resourceslices", "no devices can be shown",
                    "nodes", "nodes are known by their slices only, without labels and conditions",
                    "deviceclasses", "devices are shown without classes",
                    "resourceclaims", "it is not known which devices are in use, and by whom",
                    "pods", "pending pods and the pods of claims are not shown",
                    "devicetaintrules", "taints by rules are not shown");

    private static final String OTHER = "it is not considered";

    private final ClusterWatch watch;
    private final ClusterIdentity identity;
    private Json last = Json.JsonArray.EMPTY;

    AccessReport(ClusterWatch watch, ClusterIdentity identity) {
        this.watch = watch;
        this.identity = identity;
    }

    synchronized Json json() {
        return last;
    }

    /// The report, if it changed since the last call.
    synchronized Optional<Json> changed() {
        var now = Json.array(watch.forbidden().stream().map(this::json).toList());
        if (now.equals(last)) {
            return Optional.empty();
        }
        last = now;
        return Optional.of(now);
    }

    private JsonObject json(ResourcePath resource) {
        var user = identity.user().isEmpty() ? "this user" : identity.user();
        return JsonObject.of("resource", Json.of(resource.plural()))
                .with("scope", Json.of("all"))
                .with(
                        "text",
                        Json.of(
                                "%s may not list %s: %s. The ClusterRole %s permits it."
                                        .formatted(
                                                user,
                                                resource.plural(),
                                                EFFECTS.getOrDefault(resource.plural(), OTHER),
                                                ROLE)))
                .with("role", Json.of(ROLE));
    }
}
