package dev.berth.app.cluster;

import dev.berth.client.ResourcePath;
import dev.berth.core.explain.finding.ControlPlaneRecords;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Events and Leases of a running cluster, which show which schedulers run.
final class SchedulerRecords {

    private static final ResourcePath LEASES =
            new ResourcePath("coordination.k8s.io", "v1", "leases");

    private final List<JsonObject> events = new ArrayList<>();
    private final Set<String> leaseNames = new HashSet<>();
    private boolean isKnown;

    /// Reads both kinds. Without one of them it is not known which schedulers run.
    void read(LiveObjects live) {
        if (live.trees(LEASES, true) instanceof LiveObjects.ListOutcome.Listed(var leases)
                && live.trees(ResourcePath.EVENTS, true)
                        instanceof LiveObjects.ListOutcome.Listed(var all)) {
            leases.forEach(one -> leaseNames.add(one.objectOrEmpty("metadata").text("name")));
            events.addAll(all);
            isKnown = true;
        }
    }

    ControlPlaneRecords with(List<ResourceQuota> quotas) {
        return new ControlPlaneRecords(isKnown, quotas, events, leaseNames);
    }
}
