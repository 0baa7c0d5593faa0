package dev.berth.node.cdi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/// The device nodes of a machine.
public final class HostDevices {

    private static final int TYPE_MASK = 0170000;
    private static final int CHARACTER = 0020000;
    private static final int BLOCK = 0060000;
    private static final int PIPE = 0010000;

    private final Path root;

    /// @param root of the machine's files: `/`, or a directory in which they are mounted
    public HostDevices(Path root) {
        this.root = root;
    }

    /// Type of a path.
    public sealed interface Found {

        /// A device or pipe.
        ///
        /// @param type `b`, `c` or `p`
        record Node(String type, long major, long minor) implements Found {}

        /// Not a device node, with the reason.
        record NoNode(String reason) implements Found {}
    }

    /// Finds the node at a path, without following links.
    public Found find(String path) {
        try {
            var file = root.resolve(path.startsWith("/") ? path.substring(1) : path);
            var attributes =
                    Files.readAttributes(file, "unix:mode,rdev", LinkOption.NOFOLLOW_LINKS);
            var mode = number(attributes, "mode");
            var number = number(attributes, "rdev");
            return switch ((int) mode & TYPE_MASK) {
                case CHARACTER -> node("c", number);
                case BLOCK -> node("b", number);
                case PIPE -> new Found.Node("p", 0, 0);
                default -> new Found.NoNode("not a device");
            };
        } catch (NoSuchFileException _) {
            return new Found.NoNode("no such file");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return new Found.NoNode(String.valueOf(e.getMessage()));
        }
    }

    private static long number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.longValue() : 0;
    }

    /// Linux stores the numbers interleaved, because they once had eight bits each.
    private static Found.Node node(String type, long number) {
        var major = ((number >>> 8) & 0xfff) | ((number >>> 32) & 0xffff_f000L);
        var minor = (number & 0xff) | ((number >>> 12) & 0xffff_ff00L);
        return new Found.Node(type, major, minor);
    }
}
