package dev.berth.core.schedule;

/// A queue of pending pods, with the name that kube-scheduler has for it in metrics.
public enum PodQueue {
    ACTIVE("active"),
    BACK_OFF("backoff"),
    UNSCHEDULABLE("unschedulable"),
    GATED("gated");

    private final String label;

    PodQueue(String label) {
        this.label = label;
    }

    /// The value of the label `queue`.
    public String label() {
        return label;
    }
}
