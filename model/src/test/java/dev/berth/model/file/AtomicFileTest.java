package dev.berth.model.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

    @TempDir Path directory;

    @Test
    void contentAndPermissionsAreWritten() throws IOException {
        var file = directory.resolve("spec.json");
        AtomicFile.write(file, "{}".getBytes(UTF_8), "rw-r--r--");
        assertThat(file).hasContent("{}");
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    }

    @Test
    void contentAndPermissionsAreReplaced() throws IOException {
        var file = Files.writeString(directory.resolve("spec.json"), "old and longer");
        AtomicFile.write(file, "new".getBytes(UTF_8), "rw-------");
        assertThat(file).hasContent("new");
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void openReadersKeepTheOldContent() throws IOException {
        var file = Files.writeString(directory.resolve("spec.json"), "old");
        try (var reader = Files.newInputStream(file)) {
            AtomicFile.write(file, "new".getBytes(UTF_8), "rw-------");
            assertThat(reader.readAllBytes()).isEqualTo("old".getBytes(UTF_8));
        }
    }

    @Test
    void noTemporaryFileIsLeft() throws IOException {
        var file = directory.resolve("spec.json");
        AtomicFile.write(file, new byte[0], "rw-------");
        var target = directory.resolve("directory");
        Files.createDirectories(target.resolve("content"));
        assertThatThrownBy(() -> AtomicFile.write(target, new byte[0], "rw-------"))
                .isInstanceOf(FileSystemException.class);
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void filesInAbsentDirectoriesAreNotWritten() {
        var file = directory.resolve("absent/spec.json");
        assertThatThrownBy(() -> AtomicFile.write(file, new byte[0], "rw-------"))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void finishedFilesAreInstalled() throws IOException {
        var finished = Files.writeString(directory.resolve("store.new"), "new");
        var file = Files.writeString(directory.resolve("store"), "old");
        AtomicFile.install(finished, file);
        assertThat(file).hasContent("new");
        assertThat(finished).doesNotExist();
    }

    @Test
    void directoriesAreRenamed() throws IOException {
        var from = Files.createDirectory(directory.resolve("unpacked"));
        Files.writeString(from.resolve("file"), "content");
        AtomicFile.rename(from, directory.resolve("root"));
        assertThat(directory.resolve("root/file")).hasContent("content");
    }

    @Test
    void absentFilesAreDeletedWithoutFailure() throws IOException {
        var file = Files.writeString(directory.resolve("record"), "");
        AtomicFile.delete(file);
        AtomicFile.delete(file);
        assertThat(file).doesNotExist();
    }
}
