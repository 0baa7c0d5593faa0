package dev.berth.app.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDeletionTest {

    @TempDir private Path directory;

    @Test
    void linksAreNotFollowed() throws IOException {
        var data = Files.createDirectories(directory.resolve("data").resolve("pki"));
        var other = Files.createDirectories(directory.resolve("other"));
        Files.writeString(other.resolve("file"), "stays");
        Files.createSymbolicLink(data.resolve("link"), other);
        assertThat(DataDeletion.delete(directory.resolve("data"))).isTrue();
        assertThat(directory.resolve("data")).doesNotExist();
        assertThat(other.resolve("file")).hasContent("stays");
        assertThat(DataDeletion.delete(directory.resolve("data"))).isFalse();
    }

    @Test
    void otherDirectoriesAreNotDeleted() throws IOException {
        Files.writeString(directory.resolve("file"), "stays");
        assertThatThrownBy(() -> DataDeletion.delete(directory))
                .hasMessage(
                        directory + " is not the data directory of a cluster; nothing was deleted");
        assertThat(directory.resolve("file")).exists();
    }

    @Test
    void mountsBelowAreFound() {
        var lines =
                List.of(
                        "22 1 0:20 / / rw - ext4 /dev/sda rw",
                        "23 22 0:21 / /data/berth rw - ext4 /dev/sdb rw",
                        "24 22 0:22 / /data/berth/node/a\\040b rw - overlay overlay rw",
                        "25 22 0:23 / /data/berthold rw - ext4 /dev/sdc rw");
        assertThat(DataDeletion.mountsBelow(Path.of("/data/berth"), lines))
                .containsExactly("/data/berth/node/a b");
    }

    @Test
    void agesAreShort() {
        assertThat(StatusText.age(Duration.ofSeconds(5))).isEqualTo("5s");
        assertThat(StatusText.age(Duration.ofSeconds(125))).isEqualTo("2m5s");
        assertThat(StatusText.age(Duration.ofMinutes(125))).isEqualTo("2h5m");
        assertThat(StatusText.age(Duration.ofHours(50))).isEqualTo("2d2h");
    }
}
