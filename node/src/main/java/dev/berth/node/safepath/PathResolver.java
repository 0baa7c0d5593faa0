package dev.berth.node.safepath;

import java.io.IOException;

/// Finds what a path below a directory leads to, without ever leaving the directory.
sealed interface PathResolver permits KernelResolver, ComponentResolver {

    /// Opens what the path leads to, as [OpenFlags#PATH_ONLY]. Links are followed; one that leads
    /// out of the directory fails the call, also when it would lead back.
    ///
    /// @param path without an empty name, `.` or `..`
    Descriptor resolve(Descriptor directory, String path) throws IOException;

    /// The best that this machine has.
    static PathResolver standard() {
        return new KernelResolver(new ComponentResolver());
    }

    static IOException escape(String path) {
        return new IOException(
                "\"%s\" goes through a link that leads out of the volume".formatted(path));
    }

    static IOException tooManyLinks(String path) {
        return new IOException(
                "\"%s\" goes through more than %d links, or through one of /proc"
                        .formatted(path, ComponentResolver.MAX_LINKS));
    }
}
