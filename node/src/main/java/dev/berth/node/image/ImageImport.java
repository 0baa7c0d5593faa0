package dev.berth.node.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// One image import: reads the source, verifies digests and unpacks layers.
final class ImageImport {

    private static final int BUFFER = 1 << 16;
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

    private final Path work;
    private final Path source;
    private final ImageStore.ImportRequest request;
    private final UnpackBudget archiveBudget;
    private final UnpackBudget layersBudget;
    private final String architecture = ImageLayout.ownArchitecture();

    ImageImport(Path work, Path source, ImageStore.ImportRequest request, ImportLimits limits) {
        this.work = work;
        this.source = source;
        this.request = request;
        this.archiveBudget = new UnpackBudget(limits);
        this.layersBudget = new UnpackBudget(limits);
    }

    /// The unpacked files of an image and its container configuration.
    record Unpacked(Path root, long bytes, JsonObject settings) {}

    /// The images of the source.
    List<ImageArchive> images() throws IOException {
        if (!Files.exists(source)) {
            throw new InvalidImageException("%s: no such file or directory".formatted(source));
        }
        try {
            if (Files.isDirectory(source) && !ImageLayout.isIn(source)) {
                return List.of(packDirectory());
            }
            var layout = Files.isDirectory(source) ? source : openArchive();
            return checked(new ImageLayout(layout, architecture).images());
        } catch (InvalidImageException | ZipException | EOFException e) {
            throw new InvalidImageException("%s: %s".formatted(source, e.getMessage()));
        }
    }

    private List<ImageArchive> checked(List<ImageArchive> images) throws InvalidImageException {
        if (!request.settings().isEmpty()) {
            throw new InvalidImageException(
                    "the image has its own configuration; leave out %s"
                            .formatted(String.join(", ", request.settings().names())));
        }
        if (request.name().isPresent() && images.size() > 1) {
            throw new InvalidImageException(
                    "it has %d images (%s), which cannot all be named %s; leave the name out"
                            .formatted(
                                    images.size(),
                                    ImageLayout.names(images),
                                    request.name().get()));
        }
        return images;
    }

    /// The names of an image.
    List<String> names(ImageArchive image) throws InvalidImageException {
        if (request.name().isPresent()) {
            return List.of(request.name().get().toString());
        }
        var names = new ArrayList<String>();
        for (var name : image.names()) {
            var reference = ImageReference.parse(name).filter(one -> one.digest().isEmpty());
            names.add(
                    reference
                            .orElseThrow(() ->
                                    new InvalidImageException(
                                            "%s: \"%s\" is not an image name; set one with --name"
                                                    .formatted(source, name)))
                            .toString());
        }
        if (names.isEmpty()) {
            throw new InvalidImageException(
                    "%s: the image has no name; set one, such as --name app:1".formatted(source));
        }
        return names;
    }

    private Path openArchive() throws IOException {
        var archive = work.resolve("archive");
        Files.createDirectories(archive);
        try (var input = new BufferedInputStream(Files.newInputStream(source), BUFFER)) {
            var tar = archiveBudget.counted(uncompressed(input, "the archive"));
            LayerUnpacker.unpack(
                    new BufferedInputStream(tar, BUFFER), new ImageRoot(archive), archiveBudget);
        }
        if (!ImageLayout.isIn(archive)) {
            throw new InvalidImageException(
                    "it is neither an OCI archive nor one of docker save: it has no index.json and"
                            + " no manifest.json. For a root file system, unpack it and import"
                            + " the directory");
        }
        return archive;
    }

    /// Packs a directory as an image of one layer, so that all sources are handled alike.
    private ImageArchive packDirectory() throws IOException {
        if (request.name().isEmpty()) {
            throw new InvalidImageException(
                    "a plain directory has no name; set one, such as --name app:1");
        }
        var layer = work.resolve("layer.tar");
        pack(layer);
        var digest = Digests.sha256();
        try (var input = new DigestInputStream(Files.newInputStream(layer), digest)) {
            input.transferTo(OutputStream.nullOutputStream());
        }
        var diffId = Json.of(Digests.text(digest.digest()));
        var config =
                JsonObject.of("architecture", Json.of(architecture))
                        .with("os", Json.of("linux"))
                        .with("config", request.settings())
                        .with(
                                "rootfs",
                                JsonObject.of("type", Json.of("layers"))
                                        .with("diff_ids", Json.array(diffId)));
        var packed = new ImageArchive.Layer(layer, Optional.empty());
        return ImageLayout.packed(List.of(), "", JsonWriter.bytes(config), List.of(packed));
    }

    private void pack(Path layer) throws IOException {
        var command =
                List.of(
                        "tar",
                        "--create",
                        "--numeric-owner",
                        "--sort=name",
                        "--format=posix",
                        "--pax-option=delete=atime,delete=ctime",
                        "--file=-",
                        "--directory=" + source.toAbsolutePath(),
                        ".");
        var errors = work.resolve("tar.errors");
        var process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try {
            process.getOutputStream().close();
            Files.copy(archiveBudget.counted(process.getInputStream()), layer);
            if (process.waitFor() != 0) {
                var errorText = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8);
                throw new InvalidImageException("its files cannot be read: " + errorText.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /// Unpacks an image and verifies its digests.
    Unpacked unpack(ImageArchive image, String name) throws IOException {
        try {
            var config = image.config();
            checkPlatform(config);
            var diffIds = config.objectOrEmpty("rootfs").strings("diff_ids");
            if (diffIds.size() != image.layers().size()) {
                throw new InvalidImageException(
                        "it has %d layers, its configuration says %d"
                                .formatted(image.layers().size(), diffIds.size()));
            }
            var root = Files.createDirectory(work.resolve(name));
            Files.setAttribute(root, "unix:mode", 0755);
            var tree = new ImageRoot(root);
            for (var i = 0; i < diffIds.size(); i++) {
                unpack(image.layers().get(i), diffIds.get(i), tree);
            }
            return new Unpacked(root, bytes(root), config.objectOrEmpty("config"));
        } catch (InvalidImageException e) {
            throw new InvalidImageException("%s: %s".formatted(source, e.getMessage()));
        }
    }

    private void checkPlatform(JsonObject config) throws InvalidImageException {
        var system = config.string("os").orElse("linux");
        var machine = config.string("architecture").orElse(architecture);
        if (!system.equals("linux") || !machine.equals(architecture)) {
            throw new InvalidImageException(
                    "it is for %s/%s, this machine is linux/%s"
                            .formatted(system, machine, architecture));
        }
    }

    private void unpack(ImageArchive.Layer layer, String diffId, ImageRoot tree)
            throws IOException {
        var name = layer.digest().orElse(String.valueOf(layer.file().getFileName()));
        var packed = Digests.sha256();
        var plain = Digests.sha256();
        try (var file =
                new BufferedInputStream(
                        new DigestInputStream(Files.newInputStream(layer.file()), packed),
                        BUFFER)) {
            var digested = new DigestInputStream(uncompressed(file, "layer " + name), plain);
            var tar = layersBudget.counted(digested);
            LayerUnpacker.unpack(new BufferedInputStream(tar, BUFFER), tree, layersBudget);
            tar.transferTo(OutputStream.nullOutputStream());
            file.transferTo(OutputStream.nullOutputStream());
        } catch (ZipException | EOFException e) {
            throw new InvalidImageException(
                    "layer %s is damaged: %s".formatted(name, e.getMessage()));
        }
        check("layer " + name, layer.digest().orElse(""), Digests.text(packed.digest()));
        check("the content of layer " + name, diffId, Digests.text(plain.digest()));
    }

    private static void check(String what, String expected, String actual)
            throws InvalidImageException {
        if (!expected.isEmpty() && !expected.equals(actual)) {
            throw new InvalidImageException(
                    "%s is damaged: its digest should be %s and is %s"
                            .formatted(what, expected, actual));
        }
    }

    private static InputStream uncompressed(BufferedInputStream input, String what)
            throws IOException {
        input.mark(ZSTD.length);
        var start = input.readNBytes(ZSTD.length);
        input.reset();
        if (Arrays.equals(start, ZSTD)) {
            throw new InvalidImageException(
                    what + " is compressed by zstd, which is not supported; export with gzip");
        }
        var isGzip = start.length >= 2 && Arrays.equals(start, 0, 2, GZIP, 0, 2);
        return isGzip ? new GZIPInputStream(input, BUFFER) : input;
    }

    private static long bytes(Path root) throws IOException {
        var sum = 0L;
        try (var files = Files.walk(root)) {
            for (var file : (Iterable<Path>) files::iterator) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    sum += Files.size(file);
                }
            }
        }
        return sum;
    }
}
