package dev.berth.node.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.file.AtomicFile;
import dev.berth.node.file.PrivateDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The images of this machine, in one directory:
///
/// ```
/// images.json      which there are, under which names
/// roots/HEX        the files of each, unpacked
/// work/            what is being imported
/// ```
///
/// The list is the truth. Files are there before the list names them and go after it does not, so
/// an import that is killed leaves at most files that the next one clears away. Any number of
/// programs may read and change it at once.
public final class ImageStore {

    private static final String PERMISSIONS = "rw-r--r--";
    private static final String OWNER_ONLY = "rwx------";
    private static final long RETRY_MILLIS = 20;

    /// May have bytes that are no text.
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    private final Path directory;
    private final Clock clock;

    public ImageStore(Path directory, Clock clock) {
        this.directory = directory.toAbsolutePath().normalize();
        this.clock = clock;
    }

    /// What is to become of an image that is imported.
    ///
    /// @param name in place of those that it brings along
    /// @param settings for a plain directory, which brings none: `Entrypoint`, `Cmd`, `Env`,
    ///   `WorkingDir`, `User` as images have them
    public record Wish(Optional<ImageReference> name, JsonObject settings) {

        public static final Wish NONE = new Wish(Optional.empty(), JsonObject.EMPTY);
    }

    /// All images, by the first of their names.
    public List<StoredImage> images() throws IOException {
        byte[] text;
        try {
            text = Files.readAllBytes(list());
        } catch (NoSuchFileException _) {
            return List.of();
        }
        var images = new ArrayList<StoredImage>();
        for (var tree : ImageLayout.object(list().toString(), text).objects("images")) {
            StoredImage.read(tree).ifPresent(images::add);
        }
        return images;
    }

    /// The image of a name, of a digest in a repository, or of an identity.
    public Optional<StoredImage> find(String reference) throws IOException {
        var name = ImageReference.parse(reference);
        return images().stream().filter(image -> isMeant(image, reference, name)).findFirst();
    }

    private static boolean isMeant(
            StoredImage image, String reference, Optional<ImageReference> name) {
        return image.id().equals(reference)
                || name.filter(one -> image.names().contains(one.toString())).isPresent()
                || name.filter(one -> isOf(image, one)).isPresent();
    }

    private static boolean isOf(StoredImage image, ImageReference name) {
        return !name.digest().isEmpty()
                && (name.digest().equals(image.digest()) || name.digest().equals(image.id()))
                && image.names().stream().anyMatch(one -> one.startsWith(name.repository() + ":"));
    }

    /// The command that imports an image under a name.
    public String importCommand(String reference) {
        return "berth image import FILE --name %s --root %s"
                .formatted(reference, directory.getParent());
    }

    /// Where the files of an image are; they must not be changed.
    public Path files(StoredImage image) {
        return roots().resolve(hex(image.id()));
    }

    /// Takes images from an archive (OCI or `docker save`), an OCI layout, or a directory that is a
    /// root as it stands. One that is there already only gains names.
    ///
    /// @throws BrokenImage with what is wrong
    public List<StoredImage> add(Path source, Wish wish) throws IOException {
        return add(source, wish, ImportLimits.USUAL);
    }

    /// Takes images within limits. What was unpacked of an image beyond them is deleted.
    ///
    /// @throws BrokenImage with what is wrong
    public List<StoredImage> add(Path source, Wish wish, ImportLimits limits) throws IOException {
        requireRoot();
        var made = new NewDirectories(directory);
        prepare();
        try {
            return addLocked(source, wish, limits);
        } catch (IOException | RuntimeException e) {
            if (images().isEmpty()) {
                made.delete();
            }
            throw e;
        }
    }

    private List<StoredImage> addLocked(Path source, Wish wish, ImportLimits limits)
            throws IOException {
        return locked(() -> {
            clear();
            var work = directory.resolve("work");
            Files.createDirectories(work);
            try {
                return add(new ImageImport(work, source, wish, limits));
            } finally {
                ImageRoot.delete(work);
            }
        });
    }

    private List<StoredImage> add(ImageImport coming) throws IOException {
        var done = new ArrayList<StoredImage>();
        var number = 0;
        for (var image : coming.images()) {
            var names = coming.names(image);
            var id = image.id();
            var known = images().stream().filter(one -> one.id().equals(id)).findFirst();
            var stored =
                    known.isPresent() ? known.get() : unpack(coming, image, id, "root-" + number++);
            done.add(record(stored.named(names), names));
        }
        return done;
    }

    private StoredImage unpack(ImageImport coming, ImageArchive image, String id, String name)
            throws IOException {
        var unpacked = coming.unpack(image, name);
        var target = roots().resolve(hex(id));
        ImageRoot.delete(target);
        Files.move(unpacked.root(), target, StandardCopyOption.ATOMIC_MOVE);
        return new StoredImage(
                id,
                image.digest(),
                List.of(),
                unpacked.bytes(),
                clock.instant(),
                unpacked.settings());
    }

    /// A name belongs to one image: the last that was given it.
    private StoredImage record(StoredImage image, List<String> names) throws IOException {
        var rest = new ArrayList<StoredImage>();
        for (var other : images()) {
            if (!other.id().equals(image.id())) {
                rest.add(other.withoutNames(names));
            }
        }
        rest.add(image);
        write(rest);
        return image;
    }

    /// What came of removing.
    public sealed interface Removal {

        /// The name is gone and, if it was the last one, the image.
        record Removed(StoredImage image, boolean isGone) implements Removal {}

        record Unknown() implements Removal {}

        /// Containers are made of it.
        record InUse(int containers) implements Removal {}
    }

    /// Takes a name from an image, or removes it when it is named by its identity. Without a name
    /// left it goes.
    public Removal remove(String reference) throws IOException {
        requireRoot();
        if (!Files.exists(list())) {
            return new Removal.Unknown();
        }
        prepare();
        return locked(() -> {
            var found = find(reference);
            if (found.isEmpty()) {
                return new Removal.Unknown();
            }
            var image = found.get();
            var name = ImageReference.parse(reference).map(ImageReference::toString);
            var left =
                    image.withoutNames(
                            name.filter(image.names()::contains)
                                    .map(List::of)
                                    .orElse(image.names()));
            return left.names().isEmpty() ? removeWhole(image) : rename(left);
        });
    }

    private Removal rename(StoredImage left) throws IOException {
        record(left, List.of());
        return new Removal.Removed(left, false);
    }

    private Removal removeWhole(StoredImage image) throws IOException {
        var users = users(image);
        if (users > 0) {
            return new Removal.InUse(users);
        }
        write(images().stream().filter(one -> !one.id().equals(image.id())).toList());
        ImageRoot.delete(files(image));
        return new Removal.Removed(image, true);
    }

    /// Whoever uses an image has it for the lower part of a mount.
    private int users(StoredImage image) throws IOException {
        var mark = "lowerdir=" + files(image);
        try (var mounts = Files.lines(MOUNTS, StandardCharsets.ISO_8859_1)) {
            return (int) mounts.filter(line -> line.contains(mark)).count();
        }
    }

    private void write(List<StoredImage> images) throws IOException {
        var trees =
                images.stream()
                        .sorted((a, b) -> firstName(a).compareTo(firstName(b)))
                        .map(StoredImage::tree)
                        .toList();
        AtomicFile.write(
                list(),
                JsonWriter.pretty(JsonObject.of("images", Json.array(trees)))
                        .getBytes(StandardCharsets.UTF_8),
                PERMISSIONS);
    }

    private static String firstName(StoredImage image) {
        return image.names().isEmpty() ? image.id() : image.names().getFirst();
    }

    /// What killed imports left behind.
    private void clear() throws IOException {
        ImageRoot.delete(directory.resolve("work"));
        var known = images().stream().map(image -> hex(image.id())).toList();
        try (var roots = Files.list(roots())) {
            for (var root : roots.toList()) {
                if (!known.contains(String.valueOf(root.getFileName()))) {
                    ImageRoot.delete(root);
                }
            }
        }
    }

    private Path list() {
        return directory.resolve("images.json");
    }

    private Path roots() {
        return directory.resolve("roots");
    }

    private static String hex(String id) {
        return id.substring(id.indexOf(':') + 1);
    }

    private static void requireRoot() throws IOException {
        if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            throw new IOException(
                    "images are kept with the owners of their files, which only root can do; use"
                            + " sudo");
        }
    }

    private void prepare() throws IOException {
        PrivateDirectory.make(directory);
        Files.createDirectories(roots());
        // Files of an image may set the user; they are for containers only.
        Files.setPosixFilePermissions(roots(), PosixFilePermissions.fromString(OWNER_ONLY));
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T locked(Work<T> work) throws IOException {
        try (var channel =
                        FileChannel.open(
                                directory.resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var _ = lock(channel)) {
            return work.run();
        }
    }

    /// Another thread of this process has to be waited for by hand.
    private static FileLock lock(FileChannel channel) throws IOException {
        while (true) {
            try {
                return channel.lock();
            } catch (OverlappingFileLockException _) {
                try {
                    Thread.sleep(RETRY_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while waiting for the images", e);
                }
            }
        }
    }
}
