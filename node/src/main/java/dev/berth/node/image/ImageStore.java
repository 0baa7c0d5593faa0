package dev.berth.node.image;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The images of this machine, in one directory:
///
/// ```
/// images.json      images and their names
/// roots/HEX        unpacked files of each image
/// work/            imports in progress
/// ```
///
/// The list is authoritative. Files exist before the list references them and are deleted after it
/// does not, so a killed import leaves at most files that the next import removes. Any number of
/// processes may read and change the store concurrently.
public final class ImageStore {

    private static final String PERMISSIONS = "rw-r--r--";
    private static final long RETRY_MILLIS = 20;

    /// May contain bytes that are not valid text.
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    private final Path directory;
    private final Clock clock;

    public ImageStore(Path directory, Clock clock) {
        this.directory = directory.toAbsolutePath().normalize();
        this.clock = clock;
    }

    /// Name and configuration of an imported image.
    ///
    /// @param name instead of the names in its metadata
    /// @param settings for a plain directory, which has none: `Entrypoint`, `Cmd`, `Env`,
    ///   `WorkingDir`, `User` as in image configurations
    public record ImportRequest(Optional<ImageReference> name, JsonObject settings) {

        public static final ImportRequest NONE =
                new ImportRequest(Optional.empty(), JsonObject.EMPTY);
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

    /// The image of a name, of a digest in a repository, or of an ID.
    public Optional<StoredImage> find(String reference) throws IOException {
        var name = ImageReference.parse(reference);
        return images().stream().filter(image -> matches(image, reference, name)).findFirst();
    }

    private static boolean matches(
            StoredImage image, String reference, Optional<ImageReference> name) {
        return image.id().equals(reference)
                || name.filter(one -> image.names().contains(one.toString())).isPresent()
                || name.filter(one -> matchesDigest(image, one)).isPresent();
    }

    private static boolean matchesDigest(StoredImage image, ImageReference name) {
        return !name.digest().isEmpty()
                && (name.digest().equals(image.digest()) || name.digest().equals(image.id()))
                && image.names().stream().anyMatch(one -> one.startsWith(name.repository() + ":"));
    }

    /// The command that imports an image under a name.
    public String importCommand(String reference) {
        return "berth image import FILE --name %s --root %s"
                .formatted(reference, directory.getParent());
    }

    /// The directory of an image's files, which must not be changed.
    public Path files(StoredImage image) {
        return roots().resolve(hex(image.id()));
    }

    /// Imports images from an archive (OCI or `docker save`), an OCI layout, or a root directory.
    /// An image that exists already only gets new names.
    ///
    /// @throws InvalidImageException with the reason
    public List<StoredImage> add(Path source, ImportRequest request) throws IOException {
        return add(source, request, ImportLimits.DEFAULT);
    }

    /// Imports images within limits. What was unpacked of an image beyond them is deleted.
    ///
    /// @throws InvalidImageException with the reason
    public List<StoredImage> add(Path source, ImportRequest request, ImportLimits limits)
            throws IOException {
        requireRoot();
        var newDirectories = new NewDirectories(directory);
        prepare();
        try {
            return addLocked(source, request, limits);
        } catch (IOException | RuntimeException e) {
            if (images().isEmpty()) {
                newDirectories.delete();
            }
            throw e;
        }
    }

    private List<StoredImage> addLocked(Path source, ImportRequest request, ImportLimits limits)
            throws IOException {
        return locked(() -> {
            removeLeftovers();
            var work = directory.resolve("work");
            Files.createDirectories(work);
            try {
                return add(new ImageImport(work, source, request, limits));
            } finally {
                ImageRoot.delete(work);
            }
        });
    }

    private List<StoredImage> add(ImageImport imported) throws IOException {
        var done = new ArrayList<StoredImage>();
        var number = 0;
        for (var image : imported.images()) {
            var names = imported.names(image);
            var id = image.id();
            var existing = images().stream().filter(one -> one.id().equals(id)).findFirst();
            var stored =
                    existing.isPresent()
                            ? existing.get()
                            : unpack(imported, image, id, "root-" + number++);
            done.add(record(stored.withNames(names), names));
        }
        return done;
    }

    private StoredImage unpack(ImageImport imported, ImageArchive image, String id, String name)
            throws IOException {
        var unpacked = imported.unpack(image, name);
        var target = roots().resolve(hex(id));
        ImageRoot.delete(target);
        AtomicFile.rename(unpacked.root(), target);
        return new StoredImage(
                id,
                image.digest(),
                List.of(),
                unpacked.bytes(),
                clock.instant(),
                unpacked.settings());
    }

    /// Records an image. A name belongs to one image: the last one it was given to.
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

    /// Result of a removal.
    public sealed interface Removal {

        /// The name was removed and, if it was the last one, the image.
        record Removed(StoredImage image, boolean isGone) implements Removal {}

        record Unknown() implements Removal {}

        /// Containers use the image.
        record InUse(int containers) implements Removal {}
    }

    /// Removes a name from an image, or all names if it is given by ID. An image without names is
    /// deleted.
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
            return left.names().isEmpty() ? removeImage(image) : rename(left);
        });
    }

    private Removal rename(StoredImage left) throws IOException {
        record(left, List.of());
        return new Removal.Removed(left, false);
    }

    private Removal removeImage(StoredImage image) throws IOException {
        var users = users(image);
        if (users > 0) {
            return new Removal.InUse(users);
        }
        write(images().stream().filter(one -> !one.id().equals(image.id())).toList());
        ImageRoot.delete(files(image));
        return new Removal.Removed(image, true);
    }

    /// The number of containers that use an image as the lower directory of an overlay mount.
    private int users(StoredImage image) throws IOException {
        var lowerDirectory = "lowerdir=" + files(image);
        try (var mounts = Files.lines(MOUNTS, StandardCharsets.ISO_8859_1)) {
            return (int) mounts.filter(line -> line.contains(lowerDirectory)).count();
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

    /// Removes what killed imports left.
    private void removeLeftovers() throws IOException {
        ImageRoot.delete(directory.resolve("work"));
        var existing = images().stream().map(image -> hex(image.id())).toList();
        try (var roots = Files.list(roots())) {
            for (var root : roots.toList()) {
                if (!existing.contains(String.valueOf(root.getFileName()))) {
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
                    "images keep the owners of their files, which requires root; use" + " sudo");
        }
    }

    private void prepare() throws IOException {
        PrivateDirectory.make(directory);
        // Files of an image may have the setuid bit; they are for containers only.
        PrivateDirectory.make(roots());
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

    /// Waits for the lock; another thread of this process must be polled.
    private static FileLock lock(FileChannel channel) throws IOException {
        while (true) {
            try {
                return channel.lock();
            } catch (OverlappingFileLockException _) {
                try {
                    Thread.sleep(RETRY_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException(
                            "interrupted while waiting for the lock of the image store", e);
                }
            }
        }
    }
}
