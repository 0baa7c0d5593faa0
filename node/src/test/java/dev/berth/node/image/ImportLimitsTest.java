package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.json.JsonObject;
import dev.berth.node.image.ImageStore.ImportRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Imports that exceed the limits.
class ImportLimitsTest {

    private static final long MIB = 1 << 20;
    private static final ImportLimits SMALL = new ImportLimits(4 * MIB, 100);
    private static final String TOO_LARGE =
            "unpacked it has more than 4194304 bytes; allow more with --max-unpacked-size";
    private static final String TOO_MANY =
            "it has more than 100 files, directories and links; allow more with --max-entries";

    @TempDir private Path directory;

    private ImageStore store;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "owners of files are kept for root only");
        store = new ImageStore(directory.resolve("images"), Clock.systemUTC());
    }

    @Test
    void aLayerThatUnpacksToTooMuchIsRefused() throws Exception {
        var layer = new TarWriter().file("zeros", 0644, 0, zeros(5));
        refused(archive(layer), TOO_LARGE);
    }

    @Test
    void bytesThatAreSkippedCount() throws Exception {
        var layer = new TarWriter().file("a", "1").member("b", '5', "", 0755, 0, zeros(5));
        refused(archive(layer), TOO_LARGE);
    }

    @Test
    void layersCountTogether() throws Exception {
        var builder =
                new ArchiveBuilder()
                        .layer(new TarWriter().file("a", 0644, 0, zeros(3)))
                        .layer(new TarWriter().file("b", 0644, 0, zeros(3)))
                        .compressed()
                        .named("app:1");
        refused(builder.write(directory.resolve("two.tar")), TOO_LARGE);
    }

    @Test
    void anArchiveThatUnpacksToTooMuchIsRefused() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write(new TarWriter().file("zeros", 0644, 0, zeros(5)).bytes());
        }
        refused(Files.write(directory.resolve("bomb.tar.gz"), bytes.toByteArray()), TOO_LARGE);
    }

    @Test
    void tooManyEntriesAreRefused() throws Exception {
        var layer = new TarWriter();
        for (var i = 0; i < 101; i++) {
            layer.file("f" + i, "");
        }
        refused(archive(layer), TOO_MANY);
    }

    @Test
    void implicitDirectoriesCount() throws Exception {
        refused(archive(new TarWriter().longFile("d/".repeat(101) + "f", "")), TOO_MANY);
    }

    @Test
    void sparseFilesOfADirectoryCount() throws Exception {
        var root = Files.createDirectory(directory.resolve("root"));
        try (var file = new RandomAccessFile(root.resolve("sparse").toFile(), "rw")) {
            file.setLength(5 * MIB);
        }
        var request = new ImportRequest(ImageReference.parse("app:1"), JsonObject.EMPTY);
        assertThatThrownBy(() -> store.add(root, request, SMALL)).hasMessageContaining(TOO_LARGE);
        assertNothingIsLeft();
    }

    @Test
    void importsWithinTheLimitsSucceed() throws Exception {
        var layer = new TarWriter().file("zeros", 0644, 0, zeros(3));
        assertThat(store.add(archive(layer), ImportRequest.NONE, SMALL)).hasSize(1);
    }

    @Test
    void recursiveIndexesAreRefused() throws Exception {
        var index = "{\"manifests\":[]}";
        var digest = Digests.of(index.getBytes(StandardCharsets.UTF_8));
        var entry = "{\"digest\":\"%s\"}".formatted(digest);
        var outer = "{\"manifests\":[%s]}".formatted((entry + ",").repeat(1000) + entry);
        var tar =
                new TarWriter()
                        .file("blobs/" + digest.replace(':', '/'), index)
                        .file("index.json", outer);
        refused(
                Files.write(directory.resolve("many.tar"), tar.bytes()),
                "it has more than 1000 manifests and indexes");
    }

    private static byte[] zeros(int mebibytes) {
        return new byte[(int) (mebibytes * MIB)];
    }

    private Path archive(TarWriter layer) throws IOException {
        return new ArchiveBuilder()
                .layer(layer)
                .compressed()
                .named("app:1")
                .write(directory.resolve("app.tar"));
    }

    private void refused(Path archive, String message) throws IOException {
        assertThatThrownBy(() -> store.add(archive, ImportRequest.NONE, SMALL))
                .isInstanceOf(InvalidImageException.class)
                .hasMessageContaining(message);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(store.images()).isEmpty();
        assertThat(directory.resolve("images")).doesNotExist();
    }
}
