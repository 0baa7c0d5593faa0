package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.berth.node.safepath.LinkSwap;
import dev.berth.node.safepath.SafeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An atomic directory that a container was able to write, as a privileged container is that
/// remounts it.
class AtomicDirectoryTest {

    private static final int ROUNDS = 300;

    @TempDir private Path home;
    private Path volume;
    private Path outside;
    private SafeDirectory shown;
    private SafeDirectory staging;
    private AtomicDirectory published;

    @BeforeEach
    void prepare() throws IOException {
        volume = Files.createDirectories(home.resolve("volume"));
        outside = Files.createDirectories(home.resolve("outside/deep"));
        Files.writeString(outside.resolve("kept"), "kept");
        shown = SafeDirectory.open(volume);
        staging = SafeDirectory.open(Files.createDirectories(home.resolve("staging")));
        published = new AtomicDirectory(shown, staging, OptionalLong.empty());
    }

    @AfterEach
    void release() throws IOException {
        shown.close();
        staging.close();
    }

    private static Map<String, ProjectedFile> files(String... pathsAndTexts) {
        var files = new LinkedHashMap<String, ProjectedFile>();
        for (var i = 0; i < pathsAndTexts.length; i += 2) {
            files.put(
                    pathsAndTexts[i],
                    new ProjectedFile(ByteString.copyFromUtf8(pathsAndTexts[i + 1]), 0644));
        }
        return files;
    }

    private List<String> names(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void filesChangeAllAtOnce() throws IOException {
        published.write(files("a", "1", "sub/b", "2"));
        assertThat(volume.resolve("a")).hasContent("1");
        assertThat(volume.resolve("sub/b")).hasContent("2");
        assertThat(names(volume)).containsExactly("..1", "..data", "a", "sub");
        published.write(files("a", "1", "sub/b", "2"));
        assertThat(names(volume)).contains("..1");
        published.write(files("a", "3", "c", "4"));
        assertThat(volume.resolve("a")).hasContent("3");
        assertThat(names(volume)).containsExactly("..2", "..data", "a", "c");
        assertThat(names(home.resolve("staging"))).isEmpty();
    }

    @Test
    void aForeignDataLinkIsReplacedAndNotFollowed() throws IOException {
        for (var target :
                List.of("..", "../outside", outside.toString(), "/", "..1/../../outside")) {
            published.write(files("a", "before"));
            Files.delete(volume.resolve("..data"));
            Files.createSymbolicLink(volume.resolve("..data"), Path.of(target));
            published.write(files("a", "after"));
            assertThat(volume.resolve("a")).as(target).hasContent("after");
            assertThat(outside.resolve("kept")).as(target).hasContent("kept");
        }
    }

    @Test
    void replacedEntriesAreWrittenAgain() throws IOException {
        published.write(files("a", "before", "b", "before"));
        Files.delete(volume.resolve("..data"));
        Files.createDirectories(volume.resolve("..data/x"));
        Files.delete(volume.resolve("a"));
        Files.createSymbolicLink(volume.resolve("a"), outside.resolve("kept"));
        Files.delete(volume.resolve("b"));
        Files.createDirectories(volume.resolve("b/c"));
        Files.createSymbolicLink(volume.resolve("..2"), outside);
        Files.createSymbolicLink(volume.resolve("more"), outside);
        published.write(files("a", "after", "b", "after"));
        assertThat(volume.resolve("a")).hasContent("after");
        assertThat(volume.resolve("b")).hasContent("after");
        assertThat(outside.resolve("kept")).hasContent("kept");
        assertThat(names(volume)).hasSize(4);
    }

    /// The attack of a container that waits for the agent's next directory.
    @Test
    void aDirectoryThatIsSwappedForALinkIsNotWrittenThrough() throws Exception {
        for (var round = 0; round < ROUNDS; round++) {
            var link = Files.createSymbolicLink(home.resolve("swap"), outside);
            published.write(files("a", "old"));
            var current = volume.resolve(Files.readSymbolicLink(volume.resolve("..data")));
            try (var _ = new LinkSwap(current, link)) {
                published.write(files("a", "new " + round, "kept", "lost"));
            }
            assertThat(names(outside)).as("round " + round).containsExactly("kept");
            assertThat(outside.resolve("kept")).as("round " + round).hasContent("kept");
            SafeDirectory.deleteTree(home.resolve("swap"));
        }
    }

    @Test
    void pathsThatLeadElsewhereAreRefused() {
        for (var path : List.of("../x", "a/../../x", "/etc/x", "..data", "..1/x", "a//b", "")) {
            assertThatThrownBy(() -> published.write(files(path, "x")))
                    .as(path)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not a path in a volume");
        }
        assertThat(volume).isEmptyDirectory();
    }
}
