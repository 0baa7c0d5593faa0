package dev.berth.node.safepath;

import java.io.IOException;

/// Resolves paths below a directory, without ever leaving it.
sealed interface PathResolver permits KernelResolver, ComponentResolver {

    /// Opens the target of a path, as [OpenFlags#PATH_ONLY]. Follows links; one that leads out of
    /// the directory fails the call, also if it would lead back.
    ///
    /// @param path without an empty name, `.` or `..`
    Descriptor resolve(Descriptor directory, String path) throws IOException;

    /// The best resolver of this machine.
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
