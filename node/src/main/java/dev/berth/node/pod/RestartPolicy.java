package dev.berth.node.pod;

/// Restart policy of a pod or container.
public enum RestartPolicy {
    ALWAYS,
    ON_FAILURE,
    NEVER;

    static RestartPolicy of(String text) {
        return switch (text) {
            case "OnFailure" -> ON_FAILURE;
            case "Never" -> NEVER;
            default -> ALWAYS;
        };
    }

    boolean restarts(int exitCode) {
        return switch (this) {
            case ALWAYS -> true;
            case ON_FAILURE -> exitCode != 0;
            case NEVER -> false;
        };
    }
}
