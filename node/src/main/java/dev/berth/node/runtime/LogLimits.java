package dev.berth.node.runtime;

/// How much of what a container prints is kept: files of a size, of which the oldest are deleted.
///
/// @param maxBytes after which a file is rotated, as `containerLogMaxSize` of a kubelet
/// @param maxFiles with the one that is being written, as `containerLogMaxFiles` of a kubelet
public record LogLimits(long maxBytes, int maxFiles) {

    /// The defaults of a kubelet.
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

    /// What all files of a container may have together.
    public long totalBytes() {
        return maxBytes > Long.MAX_VALUE / maxFiles ? Long.MAX_VALUE : maxBytes * maxFiles;
    }
}
