package dev.berth.core.place;

import java.util.Optional;
import java.util.Set;

/// NodeResourcesFit: the node or the pod cannot provide the node resources (CPU, memory, huge
/// pages) that the devices of the pod consume. Lower requests of containers do not change that, so
/// there is no remedy.
public record NodeResourcesOfDevicesShort(Rejection cause) implements Rejection {

    @Override
    public String text() {
        return cause.text();
    }

    @Override
    public String description() {
        return cause.description() + ", with its devices";
    }

    @Override
    public String rule() {
        return cause.rule() + " with the devices of the pod";
    }

    @Override
    public Optional<String> resolvingEvent() {
        return cause.resolvingEvent();
    }

    @Override
    public Set<ClusterEvent> requeueOn() {
        return cause.requeueOn();
    }
}
