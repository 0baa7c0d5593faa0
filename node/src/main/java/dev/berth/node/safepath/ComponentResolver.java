package dev.berth.node.safepath;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Resolves a path component by component: opens each without following it, reads symbolic links,
/// and continues with their targets.
///
/// The directories on the way stay open, and `..` returns to the previous one, so that concurrent
/// renames do not change the way back.
record ComponentResolver() implements PathResolver {

    /// The limit of Linux.
    static final int MAX_LINKS = 40;

    /// Maximum number of open directories.
    private static final int MAX_DEPTH = 256;

    @Override
    public Descriptor resolve(Descriptor directory, String path) throws IOException {
        var opened = new ArrayDeque<Descriptor>();
        var left = new ArrayDeque<>(List.of(path.split("/", -1)));
        var links = 0;
        try {
            opened.push(reopened(directory));
            while (!left.isEmpty()) {
                var name = left.pop();
                if (name.equals("..")) {
                    toParent(opened, path);
                } else if (!name.isEmpty() && !name.equals(".")) {
                    var target = step(opened, FileName.of(name), path);
                    if (!target.isEmpty() && ++links > MAX_LINKS) {
                        throw PathResolver.tooManyLinks(path);
                    }
                    List.of(target.split("/", -1)).reversed().forEach(left::push);
                }
            }
            return opened.pop();
        } finally {
            for (var one : opened) {
                one.close();
            }
        }
    }

    private static Descriptor reopened(Descriptor directory) throws IOException {
        return new Descriptor(LinuxCalls.openForReading(directory.number()));
    }

    private static void toParent(Deque<Descriptor> opened, String path) throws IOException {
        if (opened.size() == 1) {
            throw PathResolver.escape(path);
        }
        opened.pop().close();
    }

    /// Resolves one component. Returns the target if it is a link that must be followed.
    private static String step(Deque<Descriptor> opened, FileName name, String path)
            throws IOException {
        if (opened.size() > MAX_DEPTH) {
            throw new IOException("\"%s\" is deeper than %d".formatted(path, MAX_DEPTH));
        }
        var here = opened.element().number();
        try (var next = new Descriptor(LinuxCalls.open(here, name, OpenFlags.ENTRY, 0))) {
            if (!LinuxCalls.status(next.number()).isLink()) {
                opened.push(next.moved());
                return "";
            }
            var target = LinuxCalls.target(next.number());
            if (target.startsWith("/")) {
                throw PathResolver.escape(path);
            }
            return target;
        }
    }
}
