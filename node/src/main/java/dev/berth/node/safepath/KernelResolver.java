package dev.berth.node.safepath;

import java.io.IOException;

/// Resolves by `openat2`, in one step that no rename can come between.
///
/// @param otherwise for kernels before 5.6, and for filters of system calls that refuse it
record KernelResolver(PathResolver otherwise) implements PathResolver {

    /// The kernel gives up when directories are renamed while it resolves a `..`.
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
                    return otherwise.resolve(directory, path);
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
