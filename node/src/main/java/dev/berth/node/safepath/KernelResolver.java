package dev.berth.node.safepath;

import java.io.IOException;

/// Resolves a path by `openat2`, atomically with respect to renames.
///
/// @param fallback fallback for kernels before 5.6, and for seccomp filters that refuse it
record KernelResolver(PathResolver fallback) implements PathResolver {

    /// The kernel returns EAGAIN when directories are renamed while it resolves a `..`.
    private static final int MAX_ATTEMPTS = 1000;

    private static final int BENEATH = OpenFlags.RESOLVE_BENEATH | OpenFlags.RESOLVE_NO_MAGICLINKS;

    @Override
    public Descriptor resolve(Descriptor directory, String path) throws IOException {
        for (var attempt = 1; ; attempt++) {
            try {
                var flags = OpenFlags.PATH_ONLY | OpenFlags.CLOSE_ON_EXEC;
                return new Descriptor(LinuxCalls.open2(directory.number(), path, flags, BENEATH));
            } catch (LinuxException e) {
                if (e.is(LinuxException.ENOSYS, LinuxException.EPERM)) {
                    return fallback.resolve(directory, path);
                }
                if (e.is(LinuxException.EXDEV)) {
                    throw (IOException) PathResolver.escape(path).initCause(e);
                }
                if (e.is(LinuxException.ELOOP)) {
                    throw (IOException) PathResolver.tooManyLinks(path).initCause(e);
                }
                if (!e.is(LinuxException.EAGAIN) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
