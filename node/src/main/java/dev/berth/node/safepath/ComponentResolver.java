package dev.berth.node.safepath;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Resolves name by name: opens each without following it, reads those that are links, and goes on
/// with what they say.
///
/// The directories on the way stay open, and `..` goes back to the one before: whatever is renamed
/// meanwhile, the way back is the way that was come.
record ComponentResolver() implements PathResolver {

    /// As many as Linux follows.
    static final int MAX_LINKS = 40;

    /// Directories that are open at once.
    private static final int MAX_DEPTH = 256;

    @Override
    public Descriptor resolve(Descriptor directory, String path) throws IOException {
        var way = new ArrayDeque<Descriptor>();
        var left = new ArrayDeque<>(List.of(path.split("/", -1)));
        var links = 0;
        try {
            way.push(reopened(directory));
            while (!left.isEmpty()) {
                var name = left.pop();
                if (name.equals("..")) {
                    goUp(way, path);
                } else if (!name.isEmpty() && !name.equals(".")) {
                    var target = step(way, FileName.of(name), path);
                    if (!target.isEmpty() && ++links > MAX_LINKS) {
                        throw PathResolver.tooManyLinks(path);
                    }
                    List.of(target.split("/", -1)).reversed().forEach(left::push);
                }
            }
            return way.pop();
        } finally {
            for (var one : way) {
                one.close();
            }
        }
    }

    private static Descriptor reopened(Descriptor directory) throws IOException {
        return new Descriptor(LinuxCalls.openForReading(directory.number()));
    }

    private static void goUp(Deque<Descriptor> way, String path) throws IOException {
        if (way.size() == 1) {
            throw PathResolver.escape(path);
        }
        way.pop().close();
    }

    /// Goes one name further; where it leads, when it is a link and has to be followed.
    private static String step(Deque<Descriptor> way, FileName name, String path)
            throws IOException {
        if (way.size() > MAX_DEPTH) {
            throw new IOException("\"%s\" is deeper than %d".formatted(path, MAX_DEPTH));
        }
        var here = way.element().number();
        try (var next = new Descriptor(LinuxCalls.open(here, name, OpenFlags.ENTRY, 0))) {
            if (!LinuxCalls.status(next.number()).isLink()) {
                way.push(next.moved());
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
