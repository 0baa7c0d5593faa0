package dev.berth.node.safepath;

import java.io.IOException;

/// A failed system call.
final class LinuxException extends IOException {

    private static final long serialVersionUID = 1;

    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;

    private final int errno;

    /// @param subject the file, for the message
    LinuxException(String call, String subject, int errno, String meaning) {
        super("%s of %s failed: %s (errno %d)".formatted(call, subject, meaning, errno));
        this.errno = errno;
    }

    boolean is(int... numbers) {
        for (var number : numbers) {
            if (errno == number) {
                return true;
            }
        }
        return false;
    }
}
