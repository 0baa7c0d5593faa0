package dev.berth.node.safepath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Deletion of trees that containers have written.
class TreeDeletionTest {

    private static final int ROUNDS = 300;
    private static final int DEPTH = 2000;
    private static final int FILES = 3000;

    @TempDir private Path home;
    private Path tree;
    private Path outside;

    @BeforeEach
    void prepare() throws IOException {
        tree = Files.createDirectories(home.resolve("tree"));
        outside = Files.createDirectories(home.resolve("outside/deep"));
        Files.writeString(outside.resolve("file"), "kept");
    }

    @Test
    void targetsOfLinksAreNotDeleted() throws IOException {
        Files.createSymbolicLink(tree.resolve("absolute"), outside);
        Files.createSymbolicLink(tree.resolve("relative"), Path.of("../outside"));
        Files.createSymbolicLink(tree.resolve("root"), Path.of("/"));
        Files.createSymbolicLink(tree.resolve("magic"), Path.of("/proc/self/root"));
        Files.createDirectories(tree.resolve("a/b"));
        Files.createSymbolicLink(tree.resolve("a/b/up"), Path.of("../../../outside"));
        Files.createLink(tree.resolve("a/hard"), outside.resolve("file"));
        SafeDirectory.deleteTree(tree);
        assertThat(tree).doesNotExist();
        assertThat(outside.resolve("file")).hasContent("kept");
    }

    @Test
    void aTreeThatIsALinkItselfIsDeletedAsALink() throws IOException {
        var link = Files.createSymbolicLink(home.resolve("link"), outside);
        SafeDirectory.deleteTree(link);
        assertThat(link).doesNotExist();
        assertThat(outside.resolve("file")).hasContent("kept");
        SafeDirectory.deleteTree(home.resolve("missing"));
    }

    /// The agent opens a directory just when it is exchanged for a link to the host.
    @Test
    void aDirectoryThatIsSwappedForALinkIsNotEntered() throws Exception {
        var target = outside.resolve("file");
        for (var round = 0; round < ROUNDS; round++) {
            var victim = Files.createDirectories(tree.resolve("victim"));
            for (var i = 0; i < 20; i++) {
                Files.createFile(victim.resolve("file" + i));
            }
            Files.createFile(victim.resolve("file"));
            var link = Files.createSymbolicLink(home.resolve("swap"), outside);
            try (var _ = new LinkSwap(victim, link)) {
                SafeDirectory.deleteTree(tree);
            }
            assertThat(target).as("round " + round).hasContent("kept");
            SafeDirectory.deleteTree(home.resolve("swap"));
            Files.createDirectories(tree);
        }
    }

    @Test
    void treesOfAnyDepthAndWidthAreDeleted() throws IOException {
        var at = SafeDirectory.open(tree);
        for (var i = 0; i < DEPTH; i++) {
            var next = at.makeDirectory("d", 0755);
            at.close();
            at = next;
        }
        at.close();
        var wide = Files.createDirectories(tree.resolve("wide"));
        for (var i = 0; i < FILES; i++) {
            Files.createFile(wide.resolve("a-file-with-a-long-name-" + i));
        }
        SafeDirectory.deleteTree(tree);
        assertThat(tree).doesNotExist();
    }

    @Test
    void namesThatAreNotUtf8AreDeleted() throws Exception {
        run("mkdir $'\\xff\\xfe' && touch $'\\xff\\xfe/\\x80' $'a\\nb' $'\\r'");
        SafeDirectory.deleteTree(tree);
        assertThat(tree).doesNotExist();
    }

    @Test
    void noMountIsEntered() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
        var point = Files.createDirectories(tree.resolve("point"));
        try (var directory = SafeDirectory.open(home);
                var source = directory.resolve("outside")) {
            source.bind(point);
            assertThatThrownBy(() -> SafeDirectory.deleteTree(tree))
                    .hasMessageContaining("point is a mount point");
        } finally {
            BindMounts.removeBelow(tree);
        }
        assertThat(outside.resolve("file")).hasContent("kept");
        SafeDirectory.deleteTree(tree);
    }

    /// A container can make the kernel show a path of its volume in the mount table.
    @Test
    void mountsOfDirectoriesWithHostileNamesAreRead() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
        run("mkdir $'\\xff\\r a' && ln -s $'\\xff\\r a' l");
        var point = Files.createDirectories(home.resolve("point"));
        var before = MountTable.read().mounts().size();
        try (var directory = SafeDirectory.open(tree);
                var source = directory.resolve("l")) {
            source.bind(point);
            assertThat(BindMounts.isMountPoint(point)).isTrue();
            assertThat(MountTable.read().mounts()).hasSize(before + 1);
        } finally {
            BindMounts.removeBelow(point);
        }
        assertThat(BindMounts.isMountPoint(point)).isFalse();
    }

    /// Runs a script in the tree, for names that are invalid in Java.
    private void run(String script) throws Exception {
        var process = new ProcessBuilder("bash", "-c", script).directory(tree.toFile()).start();
        assertThat(process.waitFor()).isZero();
    }
}
