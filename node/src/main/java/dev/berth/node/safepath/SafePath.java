package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.file.Path;

/// A file or directory below a volume, held by a descriptor: later renames and replacements do not
/// affect it.
public final class SafePath implements AutoCloseable {

    private final Descriptor descriptor;

    SafePath(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    public FileStatus status() throws IOException {
        return LinuxCalls.status(descriptor.number());
    }

    /// Sets permissions, as of `chmod`.
    public void setMode(int mode) throws IOException {
        LinuxCalls.setMode(descriptor.number(), mode);
    }

    public void setGroup(long group) throws IOException {
        LinuxCalls.setGroup(descriptor.number(), group);
    }

    /// Bind-mounts it on a file or directory of the agent, without submounts.
    ///
    /// @param point a path that no container can change
    public void bind(Path point) throws IOException {
        var source = LinuxCalls.pathOf(descriptor.number());
        try {
            LinuxCalls.mount(source, point.toString(), "none", LinuxCalls.MS_BIND, "");
        } catch (LinuxException e) {
            throw new IOException(
                    "%s cannot be bind-mounted: %s".formatted(point, e.getMessage()), e);
        }
    }

    @Override
    public void close() throws IOException {
        descriptor.close();
    }
}
