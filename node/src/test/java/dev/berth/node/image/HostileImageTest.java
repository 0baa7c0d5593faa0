package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.node.image.ImageStore.ImportRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images that try to write outside of their root, or whose digests are wrong.
class HostileImageTest {

    @TempDir private Path directory;

    private ImageStore store;
    private Path victim;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "owners of files are kept for root only");
        store = new ImageStore(directory.resolve("images"), Clock.systemUTC());
        victim = Files.createDirectory(directory.resolve("victim"));
        Files.writeString(victim.resolve("file"), "mine");
    }

    @AfterEach
    void nothingOutsideWasChanged() throws IOException {
        if (victim != null) {
            assertThat(victim.resolve("file")).hasContent("mine");
            try (var files = Files.list(victim)) {
                assertThat(files).hasSize(1);
            }
        }
    }

    private void refused(TarWriter layer, String message) throws IOException {
        var archive = write(new ArchiveBuilder().layer(layer).named("app:latest").tar().bytes());
        refused(archive, message);
    }

    private void refused(Path archive, String message) {
        assertThatThrownBy(() -> store.add(archive, ImportRequest.NONE))
                .isInstanceOf(InvalidImageException.class)
                .hasMessageContaining(message);
    }

    private Path write(byte[] archive) throws IOException {
        return Files.write(directory.resolve("hostile.tar"), archive);
    }

    @Test
    void namesWithDotDotAreRefused() throws Exception {
        refused(new TarWriter().file("../victim/file", "x"), "has a \"..\"");
        refused(new TarWriter().file("a/../../victim/file", "x"), "has a \"..\"");
        refused(new TarWriter().hardLink("h", "../../../victim/file"), "has a \"..\"");
    }

    @Test
    void absoluteNamesAreRelativeToTheImage() throws Exception {
        var name = victim.resolve("file").toString();
        var builder =
                new ArchiveBuilder().layer(new TarWriter().file(name, "x")).named("app:latest");
        var image =
                store.add(builder.write(directory.resolve("a.tar")), ImportRequest.NONE).getFirst();
        assertThat(store.files(image).resolve(name.substring(1))).hasContent("x");
    }

    @Test
    void linksOutOfTheImageAreRefused() throws Exception {
        refused(
                new TarWriter().link("out", "../../../../../../..").file("out/x", "x"),
                "leads out of the image");
        refused(new TarWriter().link("a", "b").link("b", "a").file("a/x", "x"), "too many links");
        refused(
                new TarWriter()
                        .link("f", victim.resolve("file").toString())
                        .hardLink("h", "nothing"),
                "which the image does not have");
    }

    @Test
    void anAbsoluteLinkIsFollowedInTheImageOnly() throws Exception {
        var layer =
                new TarWriter()
                        .link("out", victim.toString())
                        .file("out/file", "x")
                        .link("file", victim.resolve("file").toString())
                        .file("file", "y");
        var builder = new ArchiveBuilder().layer(layer).named("app:latest");
        var image =
                store.add(builder.write(directory.resolve("a.tar")), ImportRequest.NONE).getFirst();
        var root = store.files(image);
        assertThat(root.resolve(victim.resolve("file").toString().substring(1))).hasContent("x");
        assertThat(root.resolve("file")).hasContent("y");
    }

    @Test
    void whiteoutsWithDotDotAreRefused() throws Exception {
        refused(new TarWriter().directory("a/").file("a/.wh...", ""), "deletes \"..\"");
        refused(new TarWriter().file(".wh..", ""), "deletes \".\"");
        refused(
                new TarWriter().link("a", "../../../..").file("a/.wh.victim", ""),
                "leads out of the image");
    }

    @Test
    void aPipeDoesNotBlockTheImport() throws Exception {
        var layer = new TarWriter().directory("a/").member("a", '6', "", 0600, 0, new byte[0]);
        var builder = new ArchiveBuilder().layer(layer).named("app:latest");
        assertThat(store.add(builder.write(directory.resolve("a.tar")), ImportRequest.NONE))
                .hasSize(1);
    }

    @Test
    void archiveNamesWithDotDotAreRefused() throws Exception {
        refused(write(new TarWriter().file("../victim/file", "x").bytes()), "has a \"..\"");
        var linked = new TarWriter().link("index.json", victim.resolve("file").toString());
        refused(write(linked.bytes()), "");
    }

    @Test
    void aDigestThatIsAPathIsRefused() throws Exception {
        var index = "{\"manifests\":[{\"digest\":\"sha256:../../../../victim/file\"}]}";
        refused(
                write(new TarWriter().file("index.json", index).bytes()),
                "only sha256 is supported");
    }

    @Test
    void contentWithAWrongDigestIsRefused() throws Exception {
        var archive =
                new ArchiveBuilder()
                        .layer(new TarWriter().file("a", "honest"))
                        .named("app:latest")
                        .tar()
                        .bytes();
        var text = new String(archive, StandardCharsets.ISO_8859_1).replace("honest", "pirate");
        refused(
                write(text.getBytes(StandardCharsets.ISO_8859_1)),
                "is damaged: its digest should be");
    }

    @Test
    void truncatedAndInvalidArchivesAreRefused() throws Exception {
        var whole =
                new ArchiveBuilder()
                        .layer(new TarWriter().file("a", "1"))
                        .named("app:latest")
                        .tar();
        refused(write(Arrays.copyOf(whole.bytes(), 700)), "is truncated");
        refused(write("x".repeat(2000).getBytes(StandardCharsets.UTF_8)), "not a tar archive");
        refused(write(new TarWriter().file("readme", "hi").bytes()), "neither an OCI archive nor");
        refused(directory.resolve("absent"), "absent: no such file or directory");
    }

    @Test
    void unknownCompressionIsRefused() throws Exception {
        byte[] zstd = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0, 0, 0};
        refused(write(zstd), "compressed by zstd");
    }

    @Test
    void anotherArchitectureIsRefused() throws Exception {
        var archive =
                new ArchiveBuilder()
                        .layer(new TarWriter().file("a", "1"))
                        .architecture("pdp11")
                        .named("app:latest")
                        .write(directory.resolve("pdp.tar"));
        refused(archive, "it is for linux/pdp11, this machine is linux/");
    }
}
