package dev.berth.node.safepath;

/// Result of `stat`.
///
/// @param mode file type and permissions
/// @param device ID of the file system
public record FileStatus(int mode, long user, long group, long size, long device, long inode) {

    private static final int KIND = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;
    private static final int PERMISSIONS = 07777;

    public boolean isDirectory() {
        return (mode & KIND) == DIRECTORY;
    }

    public boolean isRegularFile() {
        return (mode & KIND) == REGULAR;
    }

    public boolean isLink() {
        return (mode & KIND) == LINK;
    }

    /// Permissions, as of `chmod`.
    public int permissions() {
        return mode & PERMISSIONS;
    }
}
