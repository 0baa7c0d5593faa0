package dev.berth.control.workloads;

import dev.berth.client.ResourcePath;
import dev.berth.core.workload.Workload;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;

/// A kind of workload and the name of its controller in events.
record WorkloadKind(ResourcePath address, String kind, String component) {

    EventSource source() {
        return EventSource.controller(component);
    }

    /// The workload as the object of events.
    InvolvedObject object(Workload workload) {
        return InvolvedObject.of(address.group() + "/" + address.version(), kind, workload.tree());
    }
}
