package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Reading of log files.
class LogReaderTest {

    private static final Instant NOW = Instant.parse("2026-11-16T10:00:10Z");

    /// Three lines, of which the second is in three parts.
    private static final String LOG =
            """
            2026-11-16T10:00:00Z stdout F one
            2026-11-16T10:00:01Z stdout P tw
            2026-11-16T10:00:02Z stdout P o a
            2026-11-16T10:00:03Z stdout F nd a half
            2026-11-16T10:00:04Z stderr F three
            """;

    @TempDir Path directory;

    private String read(String log, String query) throws Exception {
        var file = Files.writeString(directory.resolve("0.log"), log);
        return read(file, query, () -> false);
    }

    private static String read(Path file, String query, LogReader.ContainerCheck check)
            throws Exception {
        var out = new ByteArrayOutputStream();
        new LogReader(file, LogQuery.of(EndpointQuery.parse(query), NOW), out::writeBytes)
                .read(check);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void partsBecomeOneLine() throws Exception {
        assertThat(read(LOG, "")).isEqualTo("one\ntwo and a half\nthree\n");
    }

    @Test
    void aLineHasOneTime() throws Exception {
        assertThat(read(LOG, "timestamps=true"))
                .isEqualTo(
                        """
                        2026-11-16T10:00:00.000000000Z one
                        2026-11-16T10:00:01.000000000Z two and a half
                        2026-11-16T10:00:04.000000000Z three
                        """);
    }

    @ParameterizedTest
    @CsvSource({
        "0, ''",
        "1, 'three|'",
        "2, 'two and a half|three|'",
        "3, 'one|two and a half|three|'",
        "9, 'one|two and a half|three|'"
    })
    void theTailCountsPrintedLines(int lines, String expected) throws Exception {
        assertThat(read(LOG, "tailLines=" + lines)).isEqualTo(expected.replace('|', '\n'));
    }

    @Test
    void theTailOfALongLogIsFoundFromItsEnd() throws Exception {
        var log = new StringBuilder();
        for (var i = 0; i < 20_000; i++) {
            log.append("2026-11-16T10:00:00Z stdout F line ").append(i).append('\n');
        }

        assertThat(read(log.toString(), "tailLines=9000"))
                .startsWith("line 11000\n")
                .endsWith("line 19999\n");
    }

    @Test
    void aLineThatIsBeingWrittenIsNotShown() throws Exception {
        assertThat(read(LOG + "2026-11-16T10:00:05Z stdout F fo", "tailLines=1"))
                .isEqualTo("three\n");
    }

    @Test
    void oldLinesAreLeftOut() throws Exception {
        assertThat(read(LOG, "sinceSeconds=6")).isEqualTo("three\n");
        assertThat(read(LOG, "sinceTime=2026-11-16T11:00:01%2B01:00"))
                .isEqualTo("two and a half\nthree\n");
    }

    @Test
    void outputEndsAtTheByteLimit() throws Exception {
        assertThat(read(LOG, "limitBytes=7")).isEqualTo("one\ntwo");
    }

    @Test
    void otherFormatsAreShownUnchanged() throws Exception {
        assertThat(read("oops\n", "")).isEqualTo("oops\n");
    }

    @Test
    void followingContinuesUntilTheContainerExits() throws Exception {
        var file = Files.writeString(directory.resolve("1.log"), LOG);
        var questions = new AtomicInteger();

        var text =
                read(
                        file,
                        "follow=true&tailLines=1",
                        () -> {
                            // The container prints its last line and terminates before the next
                            // check.
                            append(file, "2026-11-16T10:00:05Z stdout F more\n");
                            return questions.incrementAndGet() < 3;
                        });

        assertThat(text).isEqualTo("three\nmore\nmore\nmore\n");
    }

    @Test
    void followingContinuesInTheNextFileOfThatName() throws Exception {
        var file = Files.writeString(directory.resolve("2.log"), LOG);
        var questions = new AtomicInteger();

        var text =
                read(
                        file,
                        "follow=true&tailLines=0",
                        () -> {
                            if (questions.incrementAndGet() == 1) {
                                append(file, "2026-11-16T10:00:05Z stdout F last of this\n");
                                replace(file, "2026-11-16T10:00:06Z stdout F first of next\n");
                                return true;
                            }
                            return false;
                        });

        assertThat(text).isEqualTo("last of this\nfirst of next\n");
    }

    @Test
    void rotatedFilesComeFirst() throws Exception {
        write("0.log.9", "2026-11-16T10:00:00Z stdout F one\n");
        write("0.log.10", "2026-11-16T10:00:01Z stdout F two\n");
        write("0.log.x", "2026-11-16T10:00:01Z stdout F of somebody else\n");
        assertThat(read("2026-11-16T10:00:02Z stdout F three\n", ""))
                .isEqualTo("one\ntwo\nthree\n");
    }

    @ParameterizedTest
    @CsvSource({
        "0, ''",
        "1, 'four|'",
        "2, 'two and a half|four|'",
        "3, 'one|two and a half|four|'",
        "9, 'one|two and a half|four|'"
    })
    void theTailGoesBackIntoRotatedFiles(int lines, String expected) throws Exception {
        write("0.log.1", "2026-11-16T10:00:00Z stdout F one\n");
        write("0.log.2", "2026-11-16T10:00:01Z stdout P two \n");
        write("0.log.3", "");
        var log = "2026-11-16T10:00:03Z stdout F and a half\n2026-11-16T10:00:04Z stdout F four\n";
        assertThat(read(log, "tailLines=" + lines)).isEqualTo(expected.replace('|', '\n'));
    }

    @Test
    void followingMissesNothingWhenSeveralRotationsHappenAtOnce() throws Exception {
        write("0.log.7", "2026-11-16T10:00:00Z stdout F old\n");
        var file = write("0.log", "2026-11-16T10:00:01Z stdout F one\n");
        var questions = new AtomicInteger();

        var text =
                read(
                        file,
                        "follow=true",
                        () -> {
                            if (questions.incrementAndGet() == 1) {
                                append(file, "2026-11-16T10:00:02Z stdout F two\n");
                                rotate(file, 8, "2026-11-16T10:00:03Z stdout F three\n");
                                rotate(file, 9, "2026-11-16T10:00:04Z stdout F four\n");
                                rotate(file, 10, "2026-11-16T10:00:05Z stdout F five\n");
                                return true;
                            }
                            return false;
                        });

        assertThat(text).isEqualTo("old\none\ntwo\nthree\nfour\nfive\n");
    }

    @Test
    void followingContinuesWhenItsFileWasDeleted() throws Exception {
        write("0.log.7", "2026-11-16T10:00:00Z stdout F old\n");
        var file = write("0.log", "2026-11-16T10:00:01Z stdout F one\n");
        var questions = new AtomicInteger();

        var text =
                read(
                        file,
                        "follow=true",
                        () -> {
                            if (questions.incrementAndGet() == 1) {
                                rotate(file, 8, "2026-11-16T10:00:02Z stdout F two\n");
                                rotate(file, 9, "2026-11-16T10:00:03Z stdout F three\n");
                                delete(directory.resolve("0.log.8"));
                                return true;
                            }
                            return false;
                        });

        assertThat(text).isEqualTo("old\none\ntwo\nthree\n");
    }

    @Test
    void aLogWithoutACurrentFileIsRead() throws Exception {
        write("0.log.1", LOG);
        assertThat(read(directory.resolve("0.log"), "tailLines=1", () -> false))
                .isEqualTo("three\n");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private void rotate(Path file, int number, String next) {
        try {
            Files.move(file, directory.resolve(file.getFileName() + "." + number));
            Files.writeString(file, next);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void replace(Path file, String text) {
        try {
            Files.move(file, directory.resolve("rotated"));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
