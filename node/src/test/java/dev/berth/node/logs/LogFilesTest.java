package dev.berth.node.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names of log files.
class LogFilesTest {

    @TempDir private Path directory;

    private LogFiles files;

    @BeforeEach
    void write() throws IOException {
        files = new LogFiles(directory.resolve("3.log"));
        for (var name :
                List.of(
                        "3.log",
                        "3.log.9",
                        "3.log.10",
                        "3.log.tmp",
                        "3.log.0",
                        "2.log",
                        "2.log.4",
                        "13.log.11",
                        "1.log.1",
                        "note")) {
            Files.createFile(directory.resolve(name));
        }
    }

    @Test
    void rotatedFilesAreInTheOrderOfTheirNumbers() throws Exception {
        assertThat(files.rotated()).extracting(LogFiles.Rotated::number).containsExactly(9L, 10L);
        assertThat(files.next()).isEqualTo(directory.resolve("3.log.11"));
    }

    @Test
    void theNewestAreKept() throws Exception {
        files.keepNewest(1);
        assertThat(directory.resolve("3.log.9")).doesNotExist();
        assertThat(directory.resolve("3.log.10")).exists();
    }

    @Test
    void oneAttemptIsKept() throws Exception {
        LogFiles.keepAttempt(directory, 2);
        try (var left = Files.list(directory)) {
            assertThat(left.map(one -> one.getFileName().toString()))
                    .containsExactlyInAnyOrder("2.log", "2.log.4", "3.log.tmp", "note");
        }
        LogFiles.keepAttempt(directory.resolve("absent"), 0);
    }
}
