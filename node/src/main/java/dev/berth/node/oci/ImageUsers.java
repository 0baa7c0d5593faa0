package dev.berth.node.oci;

import dev.berth.node.image.ImageRoot;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.ImageUser;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Users and groups of an image.
///
/// @param passwd lines of `/etc/passwd`
/// @param groups lines of `/etc/group`
record ImageUsers(List<String> passwd, List<String> groups) {

    /// Larger files are ignored.
    private static final long MAX_BYTES = 4L << 20;

    ImageUsers {
        passwd = List.copyOf(passwd);
        groups = List.copyOf(groups);
    }

    /// User and groups of a process.
    record Identity(long uid, long gid, List<Long> moreGroups) {
        Identity {
            moreGroups = List.copyOf(moreGroups);
        }
    }

    /// Reads the files of an image; links cannot lead out of it.
    static ImageUsers of(ImageRoot root) {
        return new ImageUsers(lines(root, "etc/passwd"), lines(root, "etc/group"));
    }

    private static List<String> lines(ImageRoot root, String name) {
        try {
            var file = root.find(name);
            return Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES
                    ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList()
                    : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }

    /// The user and groups a container runs as.
    ///
    /// @param imageUser the image's user: `name` or `uid`, either with `:group`
    Identity identity(Security security, String imageUser) throws RuntimeFailure {
        var userText = security.user().filter(one -> !one.isEmpty()).orElse(imageUser);
        var user = ImageUser.parse(userText);
        var entry = user.uid().isPresent() ? byId(user.uid().getAsLong()) : byName(user.name());
        if (user.uid().isEmpty() && entry.isEmpty()) {
            throw new RuntimeFailure(
                    "the image has no user \"%s\" in /etc/passwd; set runAsUser to a number"
                            .formatted(user.name()));
        }
        var uid = checked(user.uid().orElseGet(() -> entry.orElseThrow().id()), "user");
        var gid = entry.map(Entry::group).orElse(0L);
        var colon = userText.indexOf(':');
        if (colon >= 0) {
            gid = group(userText.substring(colon + 1));
        }
        if (security.group().isPresent()) {
            gid = security.group().getAsLong();
        }
        var more = new TreeSet<>(security.moreGroups());
        if (!security.hasStrictGroups()) {
            entry.ifPresent(one -> more.addAll(groupsOf(one.name())));
        }
        // The primary group is also a supplementary one: otherwise a process could drop it where a
        // file denies access to that group.
        more.add(checked(gid, "group"));
        return new Identity(uid, gid, List.copyOf(more));
    }

    private static long checked(long id, String what) throws RuntimeFailure {
        if (!ImageUser.isValidId(id)) {
            throw new RuntimeFailure(
                    "%s %d does not exist: IDs are from 0 to %d"
                            .formatted(what, id, ImageUser.MAX_ID));
        }
        return id;
    }

    /// A line of `/etc/passwd`.
    private record Entry(String name, long id, long group) {}

    private Optional<Entry> byName(String name) {
        return entries().filter(one -> one.name.equals(name)).findFirst();
    }

    private Optional<Entry> byId(long id) {
        return entries().filter(one -> one.id == id).findFirst();
    }

    private Stream<Entry> entries() {
        return passwd.stream()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= 4)
                .filter(fields -> ImageUser.id(fields[2]).isPresent())
                .map(fields ->
                        new Entry(
                                fields[0],
                                ImageUser.id(fields[2]).getAsLong(),
                                ImageUser.id(fields[3]).orElse(0)));
    }

    private long group(String text) throws RuntimeFailure {
        var id = ImageUser.id(text);
        if (id.isPresent()) {
            return id.getAsLong();
        }
        return groups.stream()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= 3 && fields[0].equals(text))
                .flatMap(fields -> ImageUser.id(fields[2]).stream().boxed())
                .findFirst()
                .orElseThrow(() ->
                        new RuntimeFailure(
                                "the image has no group \"%s\" in /etc/group".formatted(text)));
    }

    private List<Long> groupsOf(String user) {
        var found = new ArrayList<Long>();
        for (var line : groups) {
            var fields = line.split(":", -1);
            if (fields.length >= 4 && List.of(fields[3].split(",", -1)).contains(user)) {
                ImageUser.id(fields[2]).ifPresent(found::add);
            }
        }
        return found;
    }
}
