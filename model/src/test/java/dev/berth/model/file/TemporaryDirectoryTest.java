package dev.berth.model.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoryTest {

    @Test
    void itIsDeletedWithItsContentAndWithoutTheTargetsOfLinks(@TempDir Path other)
            throws IOException {
        var kept = Files.writeString(other.resolve("kept"), "text");
        Path path;
        try (var directory = TemporaryDirectory.create("berth-test")) {
            path = directory.path();
            var below = Files.createDirectory(path.resolve("below"));
            Files.writeString(below.resolve("file"), "text");
            Files.createSymbolicLink(below.resolve("link"), other);
        }
        assertThat(path).doesNotExist();
        assertThat(kept).exists();
    }
}
