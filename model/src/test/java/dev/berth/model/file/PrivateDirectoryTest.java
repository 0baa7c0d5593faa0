package dev.berth.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {

    @TempDir Path directory;

    @Test
    void missingParentsAreCreatedPrivate() throws IOException {
        var made = PrivateDirectory.make(directory.resolve("data/pki"));
        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
    }

    @Test
    void existingDirectoriesBecomePrivate() throws IOException {
        var existing = open(Files.createDirectory(directory.resolve("data")));
        assertThat(permissions(PrivateDirectory.make(existing))).isEqualTo("rwx------");
    }

    @Test
    void existingDirectoriesKeepTheirPermissionsWhenCreatedDurably() throws IOException {
        var existing = open(Files.createDirectory(directory.resolve("data")));
        PrivateDirectory.createDurably(existing.resolve("store/backup"));
        assertThat(permissions(existing)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(existing.resolve("store"))).isEqualTo("rwx------");
        assertThat(permissions(existing.resolve("store/backup"))).isEqualTo("rwx------");
    }

    @Test
    void filesAreNotReplacedByDirectories() throws IOException {
        var file = Files.writeString(directory.resolve("data"), "content");
        assertThatThrownBy(() -> PrivateDirectory.createDurably(file))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("content");
    }

    private static Path open(Path made) throws IOException {
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String permissions(Path made) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(made));
    }
}
