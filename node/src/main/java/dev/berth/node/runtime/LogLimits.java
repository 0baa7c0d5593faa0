package dev.berth.node.runtime;

/// Limits of a container's log files; the oldest are deleted.
///
/// @param maxBytes size at which a file is rotated, the kubelet's `containerLogMaxSize`
/// @param maxFiles including the current one, the kubelet's `containerLogMaxFiles`
public record LogLimits(long maxBytes, int maxFiles) {

    /// The kubelet's defaults.
    public static final LogLimits DEFAULT = new LogLimits(10L << 20, 5);

    public LogLimits {
        if (maxBytes < 1) {
            throw new IllegalArgumentException(
                    "the size of a log file must be positive, not " + maxBytes);
        }
        if (maxFiles < 2) {
            throw new IllegalArgumentException(
                    "a container needs at least 2 log files, not " + maxFiles);
        }
    }

    /// The total limit of a container's log files.
    public long totalBytes() {
        return maxBytes > Long.MAX_VALUE / maxFiles ? Long.MAX_VALUE : maxBytes * maxFiles;
    }
}
