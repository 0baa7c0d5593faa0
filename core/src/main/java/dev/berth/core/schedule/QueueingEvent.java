package dev.berth.core.schedule;

import dev.berth.core.place.ClusterEvent;

/// Why a pod enters a queue of the scheduler.
public enum QueueingEvent {
    POD_ADD("PodAdd"),
    POD_UPDATE("PodUpdate"),
    CLAIM_CHANGE("ResourceClaimChange"),
    SCHEDULE_ATTEMPT_FAILURE("ScheduleAttemptFailure"),
    BACKOFF_COMPLETE("BackoffComplete"),
    UNSCHEDULABLE_TIMEOUT("UnschedulableTimeout"),
    NODE_CHANGE("NodeChange"),
    DEVICES_OFFERED("DevicesOffered"),
    DEVICES_FREED("DevicesFreed"),
    RESOURCES_FREED("ResourcesFreed"),
    POD_PLACED("PodPlaced"),
    NAMESPACE_CHANGE("NamespaceChange"),
    VOLUME_CHANGE("VolumeChange");

    private final String label;

    QueueingEvent(String label) {
        this.label = label;
    }

    static QueueingEvent of(ClusterEvent event) {
        return switch (event) {
            case NODE -> NODE_CHANGE;
            case DEVICES_OFFERED -> DEVICES_OFFERED;
            case DEVICES_FREED -> DEVICES_FREED;
            case RESOURCES_FREED -> RESOURCES_FREED;
            case POD_PLACED -> POD_PLACED;
            case NAMESPACE -> NAMESPACE_CHANGE;
            case VOLUMES -> VOLUME_CHANGE;
        };
    }

    /// The value of the label `event` of `scheduler_queue_incoming_pods_total`.
    public String label() {
        return label;
    }
}
