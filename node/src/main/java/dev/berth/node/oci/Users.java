package dev.berth.node.oci;

import dev.berth.node.image.RootTree;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// The users and groups that an image knows.
///
/// @param passwd lines of `/etc/passwd`
/// @param groups lines of `/etc/group`
record Users(List<String> passwd, List<String> groups) {

    /// Larger files are not lists of users.
    private static final long MAX_BYTES = 4L << 20;

    Users {
        passwd = List.copyOf(passwd);
        groups = List.copyOf(groups);
    }

    /// As whom a process runs.
    record Identity(long uid, long gid, List<Long> moreGroups) {
        Identity {
            moreGroups = List.copyOf(moreGroups);
        }
    }

    /// Reads what an image has; links in it lead nowhere else.
    static Users of(RootTree root) {
        return new Users(lines(root, "etc/passwd"), lines(root, "etc/group"));
    }

    private static List<String> lines(RootTree root, String name) {
        try {
            var file = root.find(name);
            return Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES
                    ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList()
                    : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }

    /// As whom a container runs.
    ///
    /// @param imageUser as the image says it: `name`, `uid`, either with `:group`
    Identity identity(Security security, String imageUser) throws RuntimeFailure {
        var who = security.user().filter(one -> !one.isEmpty()).orElse(imageUser);
        var colon = who.indexOf(':');
        var user = colon < 0 ? who : who.substring(0, colon);
        var entry = entry(passwd, user.isEmpty() ? "0" : user, 4);
        var uid = entry.map(one -> number(one[2])).orElse(number(user.isEmpty() ? "0" : user));
        if (uid.isEmpty()) {
            throw new RuntimeFailure(
                    "the image has no user \"%s\" in /etc/passwd; say runAsUser with a number"
                            .formatted(user));
        }
        var gid = entry.flatMap(one -> number(one[3])).orElse(0L);
        if (colon >= 0) {
            gid = group(who.substring(colon + 1));
        }
        if (security.group().isPresent()) {
            gid = security.group().getAsLong();
        }
        var more = new TreeSet<>(security.moreGroups());
        entry.ifPresent(one -> more.addAll(groupsOf(one[0])));
        // Or a process could rid itself of the group, where a file says that the group may not.
        more.add(gid);
        return new Identity(uid.get(), gid, List.copyOf(more));
    }

    private long group(String name) throws RuntimeFailure {
        return entry(groups, name, 3)
                .flatMap(one -> number(one[2]))
                .or(() -> number(name))
                .orElseThrow(() ->
                        new RuntimeFailure(
                                "the image has no group \"%s\" in /etc/group".formatted(name)));
    }

    private List<Long> groupsOf(String user) {
        var found = new ArrayList<Long>();
        for (var line : groups) {
            var fields = line.split(":", -1);
            if (fields.length >= 4 && List.of(fields[3].split(",", -1)).contains(user)) {
                number(fields[2]).ifPresent(found::add);
            }
        }
        return found;
    }

    /// By name or, if no name is like it, by number.
    private static Optional<String[]> entry(List<String> lines, String who, int fields) {
        var entries =
                lines.stream()
                        .map(line -> line.split(":", -1))
                        .filter(one -> one.length >= fields)
                        .toList();
        return entries.stream()
                .filter(one -> one[0].equals(who))
                .findFirst()
                .or(() -> entries.stream().filter(one -> one[2].equals(who)).findFirst());
    }

    private static Optional<Long> number(String text) {
        try {
            var number = Long.parseLong(text);
            return number < 0 ? Optional.empty() : Optional.of(number);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
