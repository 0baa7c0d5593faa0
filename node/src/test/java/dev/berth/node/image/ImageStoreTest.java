package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.image.ImageStore.ImportRequest;
import dev.berth.node.image.ImageStore.Removal;
import dev.berth.node.runtime.EnvVariable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageStoreTest {

    @TempDir private Path directory;

    private ImageStore store;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "owners of files are kept for root only");
        store = new ImageStore(directory.resolve("images"), Clock.systemUTC());
    }

    private Path archive(ArchiveBuilder builder) throws IOException {
        return builder.write(Files.createTempFile(directory, "image", ".tar"));
    }

    private Path root(ArchiveBuilder builder) throws IOException {
        return store.files(store.add(archive(builder), ImportRequest.NONE).getFirst());
    }

    private static ImportRequest named(String name) {
        return new ImportRequest(ImageReference.parse(name), JsonObject.EMPTY);
    }

    @Test
    void anArchiveHasItsNameAndConfiguration() throws Exception {
        var builder =
                new ArchiveBuilder()
                        .layer(new TarWriter().file("a", "1"))
                        .named("app:1")
                        .settings(
                                JsonObject.of("Entrypoint", Json.array(Json.of("/a")))
                                        .with("Env", Json.array(Json.of("X=y=z")))
                                        .with("User", Json.of("alice"))
                                        .with("StopSignal", Json.of("SIGINT")));
        store.add(archive(builder), ImportRequest.NONE);
        var image = store.find("app:1").orElseThrow();
        assertThat(image.names()).containsExactly("docker.io/library/app:1");
        assertThat(image.config().entrypoint()).containsExactly("/a");
        assertThat(image.config().env()).containsExactly(new EnvVariable("X", "y=z"));
        assertThat(image.config().user()).isEqualTo("alice");
        assertThat(image.stopSignal()).isEqualTo("SIGINT");
        assertThat(store.files(image).resolve("a")).hasContent("1");
        assertThat(store.find(image.id())).hasValue(image);
        assertThat(store.find("app@" + image.digest())).hasValue(image);
    }

    @Test
    void layersAreMergedWithWhiteouts() throws Exception {
        var root =
                root(
                        new ArchiveBuilder()
                                .layer(
                                        new TarWriter()
                                                .file("keep", "low")
                                                .file("change", "low")
                                                .file("gone", "low")
                                                .directory("dir/")
                                                .file("dir/old", "low")
                                                .directory("tree/")
                                                .file("tree/old", "low"))
                                .layer(
                                        new TarWriter()
                                                .file("change", "high")
                                                .file(".wh.gone", "")
                                                .file("dir/new", "high")
                                                .file("dir/.wh..wh..opq", "")
                                                .file(".wh.tree", ""))
                                .compressed()
                                .named("app:latest"));
        assertThat(root.resolve("keep")).hasContent("low");
        assertThat(root.resolve("change")).hasContent("high");
        assertThat(root.resolve("gone")).doesNotExist();
        assertThat(root.resolve("dir/old")).doesNotExist();
        assertThat(root.resolve("dir/new")).hasContent("high");
        assertThat(root.resolve("tree")).doesNotExist();
    }

    @Test
    void ownersModesAndLinksAreKept() throws Exception {
        var longName = "d/" + "n".repeat(150);
        var root =
                root(
                        new ArchiveBuilder()
                                .layer(
                                        new TarWriter()
                                                .file("su", 04755, 7, new byte[] {1})
                                                .hardLink("same", "su")
                                                .link("to", "/su")
                                                .link("lib", "usr/lib")
                                                .directory("usr/lib/")
                                                .longFile(longName, "long")
                                                .member("null", '3', "", 0666, 0, new byte[0])
                                                .member("pipe", '6', "", 0600, 0, new byte[0]))
                                .layer(new TarWriter().file("lib/x.so", "through a link"))
                                .named("app:latest"));
        assertThat(Files.getAttribute(root.resolve("su"), "unix:uid")).isEqualTo(7);
        assertThat((int) Files.getAttribute(root.resolve("su"), "unix:mode") & 07777)
                .isEqualTo(04755);
        assertThat(Files.getAttribute(root.resolve("same"), "unix:ino"))
                .isEqualTo(Files.getAttribute(root.resolve("su"), "unix:ino"));
        assertThat(Files.readSymbolicLink(root.resolve("to"))).isEqualTo(Path.of("/su"));
        assertThat(root.resolve("usr/lib/x.so")).hasContent("through a link");
        assertThat(root.resolve(longName)).hasContent("long");
        assertThat(root.resolve("null")).doesNotExist();
        assertThat(Files.readAttributes(root.resolve("pipe"), "isOther").get("isOther"))
                .isEqualTo(true);
    }

    @Test
    void aPlainDirectoryIsAnImageToo() throws Exception {
        var plain = Files.createDirectory(directory.resolve("plain"));
        Files.writeString(plain.resolve("hello"), "there");
        Files.createSymbolicLink(plain.resolve("link"), Path.of("hello"));
        var request =
                new ImportRequest(
                        ImageReference.parse("mine"),
                        JsonObject.of("Cmd", Json.array(Json.of("/hello"))));
        var image = store.add(plain, request).getFirst();
        assertThat(store.files(image).resolve("hello")).hasContent("there");
        assertThat(Files.readSymbolicLink(store.files(image).resolve("link")))
                .isEqualTo(Path.of("hello"));
        assertThat(image.config().command()).containsExactly("/hello");
        assertThat(store.add(plain, request).getFirst().id()).isEqualTo(image.id());
    }

    @Test
    void dockerSaveArchivesAreImported() throws Exception {
        var layer = new TarWriter().file("a", "docker").bytes();
        var config =
                "{\"os\":\"linux\",\"config\":{\"Cmd\":[\"a\"]},\"rootfs\":{\"diff_ids\":[\"%s\"]}}"
                        .formatted(Digests.of(layer));
        var archive = directory.resolve("docker.tar");
        Files.write(
                archive,
                new TarWriter()
                        .file("c.json", config)
                        .file("1/layer.tar", 0644, 0, layer)
                        .link("2/layer.tar", "../1/layer.tar")
                        .file(
                                "manifest.json",
                                "[{\"Config\":\"c.json\",\"RepoTags\":[\"app:1\",\"app:2\"],"
                                        + "\"Layers\":[\"2/layer.tar\"]}]")
                        .bytes());
        var image = store.add(archive, ImportRequest.NONE).getFirst();
        assertThat(image.names())
                .containsExactly("docker.io/library/app:1", "docker.io/library/app:2");
        assertThat(store.files(image).resolve("a")).hasContent("docker");
    }

    @Test
    void aNameBelongsToTheLastImageItWasGivenTo() throws Exception {
        var one = new ArchiveBuilder().layer(new TarWriter().file("a", "1")).named("app:1");
        var two = new ArchiveBuilder().layer(new TarWriter().file("a", "2")).named("app:1");
        var old = store.add(archive(one), ImportRequest.NONE).getFirst();
        store.add(archive(one), named("app:old"));
        store.add(archive(two), ImportRequest.NONE);
        assertThat(store.files(store.find("app:1").orElseThrow()).resolve("a")).hasContent("2");
        assertThat(store.find("app:old").orElseThrow().id()).isEqualTo(old.id());
        assertThat(store.images()).hasSize(2);
    }

    @Test
    void anImageIsDeletedWithItsLastName() throws Exception {
        var image = new ArchiveBuilder().layer(new TarWriter().file("a", "1")).named("app:1");
        var files = root(image);
        store.add(archive(image), named("app:2"));
        assertThat(store.remove("app:1"))
                .isInstanceOfSatisfying(
                        Removal.Removed.class, removed -> assertThat(removed.isGone()).isFalse());
        assertThat(files).exists();
        assertThat(store.remove("app:2"))
                .isInstanceOfSatisfying(
                        Removal.Removed.class, removed -> assertThat(removed.isGone()).isTrue());
        assertThat(files).doesNotExist();
        assertThat(store.remove("app:2")).isEqualTo(new Removal.Unknown());
        assertThat(store.images()).isEmpty();
    }

    @Test
    void leftoversOfAKilledImportAreRemoved() throws Exception {
        var stray = Files.createDirectories(directory.resolve("images/roots/0123/bin"));
        Files.createDirectories(directory.resolve("images/work/root-0"));
        root(new ArchiveBuilder().layer(new TarWriter().file("a", "1")).named("app:latest"));
        assertThat(stray).doesNotExist();
        assertThat(directory.resolve("images/work")).doesNotExist();
    }

    @Test
    void anImageWithoutANameNeedsOne() throws Exception {
        var archive = archive(new ArchiveBuilder().layer(new TarWriter().file("a", "1")));
        assertThatThrownBy(() -> store.add(archive, ImportRequest.NONE))
                .hasMessage("%s: the image has no name; set one, such as --name app:1", archive);
        assertThat(store.add(archive, named("x")).getFirst().names())
                .isEqualTo(List.of("docker.io/library/x:latest"));
    }

    @Test
    void aFailedImportLeavesNothing() throws Exception {
        var broken =
                new ArchiveBuilder()
                        .layer(new TarWriter().file("ok", "1").file("../out", "2"))
                        .named("app:latest");
        assertThatThrownBy(() -> store.add(archive(broken), ImportRequest.NONE))
                .isInstanceOf(InvalidImageException.class);
        assertThat(store.images()).isEmpty();
        assertThat(directory.resolve("images")).doesNotExist();
        assertThat(store.find("app")).isEqualTo(Optional.empty());
    }
}
