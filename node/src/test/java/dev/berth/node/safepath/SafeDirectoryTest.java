package dev.berth.node.safepath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Resolution of paths below a directory in which a container chose all the links, by openat2 and
/// component by component.
class SafeDirectoryTest {

    private static final int SWAPPED_RESOLUTIONS = 20_000;

    @TempDir private Path home;
    private Path root;
    private Path outside;

    static Stream<PathResolver> resolvers() {
        return Stream.of(PathResolver.standard(), new ComponentResolver());
    }

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectories(home.resolve("root"));
        outside = Files.createDirectories(home.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/b/file"), "text");
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(target));
    }

    @ParameterizedTest
    @MethodSource("resolvers")
    void linksThatStayBelowAreFollowed(PathResolver resolver) throws IOException {
        link("relative", "a/b");
        link("a/up", "../a/b/file");
        link("chain", "relative/../b");
        try (var directory = SafeDirectory.open(root, resolver)) {
            assertThat(found(directory, "a/b/file")).isEqualTo("text");
            assertThat(found(directory, "relative/file")).isEqualTo("text");
            assertThat(found(directory, "a/up")).isEqualTo("text");
            assertThat(found(directory, "chain/file")).isEqualTo("text");
            assertThat(found(directory, "./a//b/file")).isEqualTo("text");
        }
    }

    /// The inode of a path's target.
    private String found(SafeDirectory directory, String path) throws IOException {
        try (var found = directory.resolve(path)) {
            var status = found.status();
            var expected = (long) Files.getAttribute(root.resolve("a/b/file"), "unix:ino");
            return status.isRegularFile() && status.inode() == expected ? "text" : "other";
        }
    }

    @ParameterizedTest
    @MethodSource("resolvers")
    void linksThatLeadOutAreRefused(PathResolver resolver) throws IOException {
        link("absolute", "/");
        link("toSecret", outside.resolve("secret").toString());
        link("up", "..");
        link("upAndDown", "../outside/secret");
        link("a/far", "../../outside");
        link("back", root + "/a");
        link("outAndBack", "../root/a");
        try (var directory = SafeDirectory.open(root, resolver)) {
            for (var path :
                    new String[] {
                        "absolute",
                        "absolute/etc",
                        "toSecret",
                        "up",
                        "up/outside/secret",
                        "upAndDown",
                        "a/far/secret",
                        "back",
                        "outAndBack"
                    }) {
                assertThatThrownBy(() -> directory.resolve(path))
                        .as(path)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("leads out of the volume");
                assertThatThrownBy(() -> directory.makeDirectories(path + "/new", 0755))
                        .as(path)
                        .isInstanceOf(IOException.class);
            }
        }
        assertThat(outside).isDirectoryNotContaining(path -> path.endsWith("new"));
    }

    @ParameterizedTest
    @MethodSource("resolvers")
    void moreThanFortyLinksAreRefused(PathResolver resolver) throws IOException {
        link("link-0", "a/b/file");
        for (var i = 1; i <= 50; i++) {
            link("link-" + i, "link-" + (i - 1));
        }
        link("self", "self");
        try (var directory = SafeDirectory.open(root, resolver)) {
            assertThat(found(directory, "link-39")).isEqualTo("text");
            for (var path : new String[] {"link-40", "link-50", "self"}) {
                assertThatThrownBy(() -> directory.resolve(path))
                        .as(path)
                        .hasMessageContaining("more than 40 links");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("resolvers")
    void magicLinksOfProcAreRefused(PathResolver resolver) throws IOException {
        try (var directory = SafeDirectory.open(Path.of("/proc"), resolver)) {
            directory.resolve("self/status").close();
            for (var path : new String[] {"self/root", "self/cwd", "self/exe", "self/fd/0"}) {
                assertThatThrownBy(() -> directory.resolve(path))
                        .as(path)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("resolvers")
    void missingDirectoriesAreMadeWithTheModeOfTheVolume(PathResolver resolver) throws IOException {
        link("into", "a/b");
        link("nowhere", "a/missing");
        try (var directory = SafeDirectory.open(root, resolver)) {
            try (var made = directory.makeDirectories("into/x/y", 02777)) {
                assertThat(made.status().isDirectory()).isTrue();
                assertThat(made.status().permissions()).isEqualTo(02777);
            }
            assertThat(root.resolve("a/b/x/y")).isDirectory();
            try (var file = directory.makeDirectories("a/b/file", 0755)) {
                assertThat(file.status().isRegularFile()).isTrue();
            }
            assertThatThrownBy(() -> directory.makeDirectories("nowhere", 0755))
                    .hasMessageContaining("leads to nothing");
            assertThatThrownBy(() -> directory.makeDirectories("a/b/file/x", 0755))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("resolvers")
    void aDirectoryThatIsSwappedForALinkIsNeverLeft(PathResolver resolver) throws Exception {
        Files.createDirectories(root.resolve("d"));
        Files.writeString(root.resolve("d/secret"), "mine");
        link("l", "../outside");
        var own = (long) Files.getAttribute(root.resolve("d/secret"), "unix:ino");
        try (var directory = SafeDirectory.open(root, resolver);
                var _ = new LinkSwap(root.resolve("d"), root.resolve("l"))) {
            for (var i = 0; i < SWAPPED_RESOLUTIONS; i++) {
                try (var found = directory.resolve("d/secret")) {
                    assertThat(found.status().inode()).isEqualTo(own);
                } catch (IOException _) {
                    // It was the link at that moment.
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void namesThatArePathsAreRefused() throws IOException {
        try (var directory = SafeDirectory.open(root)) {
            for (var name : new String[] {"", ".", "..", "a/b", "/etc", "a\0b"}) {
                assertThatThrownBy(() -> directory.delete(name))
                        .as(name)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is not a file name");
            }
            for (var path : new String[] {"/etc", "..", "a/../..", ""}) {
                assertThatThrownBy(() -> directory.resolve(path))
                        .as(path)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void entriesThatAreLinksAreNotFollowed() throws IOException {
        link("dir", "../outside");
        link("file", "../outside/secret");
        try (var directory = SafeDirectory.open(root)) {
            assertThatThrownBy(() -> directory.directory("dir")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> directory.readEnd("file", 100))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> directory.makeFile("file", new byte[] {1}, 0644))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> directory.makeDirectory("dir", 0755))
                    .isInstanceOf(IOException.class);
            assertThat(directory.target("dir")).contains("../outside");
        }
        assertThat(outside.resolve("secret")).hasContent("secret");
    }

    @Test
    void theEndOfAFileIsReadAndNothingElseIsOpened() throws Exception {
        var pipe = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(pipe.waitFor()).isZero();
        try (var directory = SafeDirectory.open(root)) {
            directory.makeFile("text", "0123456789".getBytes(StandardCharsets.UTF_8), 0640);
            assertThat(directory.readEnd("text", 4)).asString().isEqualTo("6789");
            assertThat(directory.readEnd("text", 4096)).asString().isEqualTo("0123456789");
            assertThat(directory.status("text").orElseThrow().permissions()).isEqualTo(0640);
            assertThatThrownBy(() -> directory.readEnd("pipe", 4))
                    .hasMessageContaining("is not a regular file");
        }
    }
}
