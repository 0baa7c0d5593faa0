package dev.berth.node.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads an image layout: a directory in the OCI image layout or the format of `docker save`.
final class ImageLayout {

    private static final String OCI_INDEX = "index.json";
    private static final String DOCKER_MANIFEST = "manifest.json";

    /// Maximum size of manifests, indexes and configurations.
    private static final long MAX_DOCUMENT_BYTES = 8L << 20;

    /// Maximum nesting of indexes; real images have at most two levels.
    private static final int MAX_DEPTH = 4;

    /// Maximum number of manifests and indexes, because indexes can reference each other's
    /// documents many times.
    private static final int MAX_DOCUMENTS = 1000;

    private static final List<String> NAME_ANNOTATIONS =
            List.of("io.containerd.image.name", "org.opencontainers.image.ref.name");

    private final ImageRoot tree;
    private final String architecture;
    private int documents;

    /// @param architecture of this machine, as in images
    ImageLayout(Path directory, String architecture) {
        this.tree = new ImageRoot(directory);
        this.architecture = architecture;
    }

    static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(OCI_INDEX))
                || Files.isRegularFile(directory.resolve(DOCKER_MANIFEST));
    }

    /// The images for this machine.
    List<ImageArchive> images() throws IOException {
        var isOci = Files.isRegularFile(tree.find(OCI_INDEX));
        var found = isOci ? ofIndex(object(OCI_INDEX, read(OCI_INDEX)), 0, "") : ofDocker();
        if (found.isEmpty()) {
            throw new InvalidImageException("it has no image for linux/%s".formatted(architecture));
        }
        return found;
    }

    private List<ImageArchive> ofIndex(JsonObject index, int depth, String outerName)
            throws IOException {
        if (depth > MAX_DEPTH) {
            throw new InvalidImageException("its indexes are nested too deeply");
        }
        var found = new ArrayList<ImageArchive>();
        for (var descriptor : index.objects("manifests")) {
            if (!isForThisMachine(descriptor)) {
                continue;
            }
            countDocument();
            var digest = descriptor.text("digest");
            var document = object(digest, blob(descriptor));
            var name = name(descriptor).orElse(outerName);
            if (document.has("manifests")) {
                found.addAll(ofIndex(document, depth + 1, name));
            } else {
                found.add(ofManifest(digest, document, name));
            }
        }
        return found;
    }

    private void countDocument() throws InvalidImageException {
        if (++documents > MAX_DOCUMENTS) {
            throw new InvalidImageException(
                    "it has more than %d manifests and indexes".formatted(MAX_DOCUMENTS));
        }
    }

    private boolean isForThisMachine(JsonObject descriptor) {
        var platform = descriptor.objectOrEmpty("platform");
        return platform.isEmpty()
                || (platform.text("os").equals("linux")
                        && platform.text("architecture").equals(architecture));
    }

    /// The name from annotations; some tools write only a tag there.
    private static Optional<String> name(JsonObject descriptor) {
        var annotations = descriptor.objectOrEmpty("annotations");
        return NAME_ANNOTATIONS.stream()
                .map(annotations::text)
                .filter(name -> name.contains("/") || name.contains(":"))
                .findFirst();
    }

    private ImageArchive ofManifest(String digest, JsonObject manifest, String name)
            throws IOException {
        var layers = new ArrayList<ImageArchive.Layer>();
        for (var layer : manifest.objects("layers")) {
            var type = layer.text("mediaType");
            if (type.contains("encrypted") || type.contains("foreign")) {
                throw new InvalidImageException("it has a layer of type %s".formatted(type));
            }
            layers.add(new ImageArchive.Layer(blobFile(layer), Optional.of(layer.text("digest"))));
        }
        var names = name.isEmpty() ? List.<String>of() : List.of(name);
        return packed(names, digest, blob(manifest.objectOrEmpty("config")), layers);
    }

    private List<ImageArchive> ofDocker() throws IOException {
        if (!(tree(DOCKER_MANIFEST, read(DOCKER_MANIFEST)) instanceof Json.JsonArray(var items))) {
            throw new InvalidImageException(DOCKER_MANIFEST + " is not a list of images");
        }
        var found = new ArrayList<ImageArchive>();
        for (var item : items) {
            if (item instanceof JsonObject image) {
                countDocument();
                var layers = new ArrayList<ImageArchive.Layer>();
                for (var file : image.strings("Layers")) {
                    layers.add(new ImageArchive.Layer(file(file), Optional.empty()));
                }
                found.add(
                        packed(image.strings("RepoTags"), "", read(image.text("Config")), layers));
            }
        }
        return found;
    }

    /// @param config text of the configuration
    static ImageArchive packed(
            List<String> names, String digest, byte[] config, List<ImageArchive.Layer> layers)
            throws InvalidImageException {
        return new ImageArchive(
                names, digest, Digests.of(config), object("the configuration", config), layers);
    }

    private byte[] blob(JsonObject descriptor) throws IOException {
        var digest = descriptor.text("digest");
        var content = Files.readAllBytes(small(blobFile(descriptor), digest));
        if (!Digests.of(content).equals(digest)) {
            throw new InvalidImageException(
                    "%s is damaged: its digest is %s".formatted(digest, Digests.of(content)));
        }
        return content;
    }

    private Path blobFile(JsonObject descriptor) throws IOException {
        var digest = descriptor.text("digest");
        if (!ImageReference.isDigest(digest)) {
            throw new InvalidImageException(
                    "it has the digest \"%s\"; only sha256 is supported".formatted(digest));
        }
        return file("blobs/" + digest.replace(':', '/'));
    }

    private Path file(String name) throws IOException {
        try {
            var file = tree.find(name);
            if (Files.isRegularFile(file)) {
                return file;
            }
        } catch (InvalidPathException _) {
            // No file can have such a name.
        }
        throw new InvalidImageException("it lacks the file \"%s\"".formatted(name));
    }

    private byte[] read(String name) throws IOException {
        return Files.readAllBytes(small(file(name), name));
    }

    private static Path small(Path file, String name) throws IOException {
        if (Files.size(file) > MAX_DOCUMENT_BYTES) {
            throw new InvalidImageException(
                    "%s has %d bytes, more than the limit of %d"
                            .formatted(name, Files.size(file), MAX_DOCUMENT_BYTES));
        }
        return file;
    }

    static JsonObject object(String name, byte[] text) throws InvalidImageException {
        if (tree(name, text) instanceof JsonObject object) {
            return object;
        }
        throw new InvalidImageException("%s is not a JSON object".formatted(name));
    }

    private static Json tree(String name, byte[] text) throws InvalidImageException {
        return switch (JsonReader.read(text)) {
            case ParseResult.Documents(var documents) -> documents.getFirst().root();
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new InvalidImageException(
                            "%s:%d:%d: %s".formatted(name, line, column, message));
        };
    }

    /// The architecture of this machine, as in images.
    static String ownArchitecture() {
        var name = System.getProperty("os.arch", "");
        return switch (name) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> name;
        };
    }

    /// The names of images, for messages.
    static String names(List<ImageArchive> images) {
        return String.join(
                ", ",
                images.stream()
                        .flatMap(image ->
                                image.names().isEmpty()
                                        ? Stream.of("one without a name")
                                        : image.names().stream())
                        .toList());
    }
}
