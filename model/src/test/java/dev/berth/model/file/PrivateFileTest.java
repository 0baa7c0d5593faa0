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

class PrivateFileTest {

    @TempDir Path directory;

    @Test
    void writtenFilesBelongToTheirOwnerAlone() throws IOException {
        var file = open(directory.resolve("key"));
        PrivateFile.write(file, "größer");
        assertThat(Files.readString(file)).isEqualTo("größer");
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @Test
    void createdFilesBelongToTheirOwnerAlone() throws IOException {
        var file = PrivateFile.create(directory.resolve("lock"));
        assertThat(file).isEmptyFile();
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @Test
    void existingFilesAreNotCreated() throws IOException {
        var file = open(directory.resolve("lock"));
        assertThatThrownBy(() -> PrivateFile.create(file))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("open");
    }

    @Test
    void filesBecomePrivateBeforeTheyAreRead() throws IOException {
        var file = open(directory.resolve("key"));
        assertThat(PrivateFile.read(file)).isEqualTo("open");
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    private static Path open(Path file) throws IOException {
        Files.writeString(file, "open");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
