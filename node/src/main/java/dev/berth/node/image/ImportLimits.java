package dev.berth.node.image;

/// Limits of an import, so that a small file cannot fill the disk.
///
/// @param maxBytes unpacked size of the archive, and of all its layers together
/// @param maxEntries files, directories and links in the archive, and in all its layers together
public record ImportLimits(long maxBytes, long maxEntries) {

    /// Larger than any image in use: 20 GiB and a million entries.
    public static final ImportLimits DEFAULT = new ImportLimits(20L << 30, 1_000_000);

    public ImportLimits {
        if (maxBytes < 1 || maxEntries < 1) {
            throw new IllegalArgumentException(
                    "limits of an import must be positive, not %d bytes and %d entries"
                            .formatted(maxBytes, maxEntries));
        }
    }
}
