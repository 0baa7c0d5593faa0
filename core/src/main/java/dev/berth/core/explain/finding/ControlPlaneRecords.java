package dev.berth.core.explain.finding;

import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Set;

/// Objects that show what keeps control-plane components from creating claims and scheduling pods.
///
/// @param isLive true for a running cluster, where the absence of a scheduler can be judged
/// @param quotas quotas of all namespaces that were read
/// @param events events of pods
/// @param leases names of leader-election Leases
public record ControlPlaneRecords(
        boolean isLive, List<ResourceQuota> quotas, List<JsonObject> events, Set<String> leases) {

    /// Nothing is known, as for a cluster in files.
    public static final ControlPlaneRecords UNKNOWN =
            new ControlPlaneRecords(false, List.of(), List.of(), Set.of());

    public ControlPlaneRecords {
        quotas = List.copyOf(quotas);
        events = List.copyOf(events);
        leases = Set.copyOf(leases);
    }

    /// The same records with these quotas.
    public ControlPlaneRecords with(List<ResourceQuota> newQuotas) {
        return new ControlPlaneRecords(isLive, newQuotas, events, leases);
    }
}
