package dev.berth.server.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Power failures at random moments: everything that was not synced may be lost, page by page and
/// in any order. The store must open and have all acknowledged changes. File operations are those
/// of a real process, SQLite's included, recorded by a preloaded library; this needs a C compiler.
///
/// More images: `mvn test -pl server -am -Dtest=PowerFailureTest
/// -Dsurefire.failIfNoSpecifiedTests=false -Dberth.power.images=1000`. Another seed:
/// `-Dberth.power.seed=N`.
class PowerFailureTest {

    private static final int IMAGES = Integer.getInteger("berth.power.images", 100);
    private static final long SEED = Long.getLong("berth.power.seed", 1);
    private static final double[] KEPT = {0, 0.1, 0.5, 0.9, 1};

    @TempDir private Path directory;

    @Test
    void acknowledgedWritesSurviveAndTheStoreOpens() throws Exception {
        var recording = record();
        var random = new Random(SEED);
        var wrong = new ArrayList<String>();
        for (var i = 0; i < IMAGES; i++) {
            var after = random.nextInt(1, recording.size() + 1);
            var kept = KEPT[random.nextInt(KEPT.length)];
            var image = Files.createDirectory(directory.resolve("image-" + i));
            recording.powerFailure(after, kept, random, image);
            var what = "image %d after %d, kept %.1f: ".formatted(i, after, kept);
            try (var store = SqliteStore.open(image.resolve(SqliteStore.FILE))) {
                var lines = recording.textOf(RecordedWriter.ACKNOWLEDGED, after).lines().toList();
                var lost = lost(lines, entries(store));
                if (!lost.isEmpty() || store.revision() < newest(lines)) {
                    wrong.add(what + "lost " + lost);
                }
            } catch (StoreException e) {
                wrong.add(what + e.getMessage());
            }
        }
        assertThat(wrong).as("of %d images, seed %d", IMAGES, SEED).isEmpty();
    }

    private FileRecording record() throws IOException, InterruptedException {
        var library = directory.resolve("record-io.so");
        assumeTrue(compile(library), "no C compiler");
        var live = Files.createDirectory(directory.resolve("live")).toRealPath();
        var log = directory.resolve("operations");
        var writer =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecordedWriter.class.getName(),
                        live.toString(),
                        Long.toString(SEED));
        writer.environment()
                .putAll(
                        Map.of(
                                "LD_PRELOAD", library.toString(),
                                "RECORD_DIR", live.toString(),
                                "RECORD_LOG", log.toString()));
        assertThat(writer.inheritIO().start().waitFor()).isZero();
        return FileRecording.read(log, live);
    }

    private static boolean compile(Path library) throws IOException, InterruptedException {
        var source = Path.of("src", "test", "resources", "store", "record-io.c");
        try {
            return new ProcessBuilder(
                                    "cc",
                                    "-shared",
                                    "-fPIC",
                                    "-o",
                                    library.toString(),
                                    source.toString(),
                                    "-ldl",
                                    "-lpthread")
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /// Keys that do not have their acknowledged state or a later one.
    private static List<String> lost(List<String> lines, Map<String, Long> entries) {
        var acknowledged = new HashMap<String, Long>();
        var mayBeDeleted = new HashSet<String>();
        for (var line : lines) {
            var words = line.split(" ", -1);
            if (words[1].equals(RecordedWriter.DELETING)) {
                mayBeDeleted.add(words[0]);
            } else {
                acknowledged.put(words[0], Long.parseLong(words[1]));
                mayBeDeleted.remove(words[0]);
            }
        }
        var lost = new ArrayList<String>();
        acknowledged.forEach((name, revision) -> {
            var found = entries.getOrDefault(name, 0L);
            var isThere =
                    found == 0
                            ? revision < 0 || mayBeDeleted.contains(name)
                            : found >= Math.abs(revision);
            if (!isThere) {
                lost.add("%s: found %d, acknowledged %d".formatted(name, found, revision));
            }
        });
        return lost;
    }

    private static long newest(List<String> lines) {
        return lines.stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .filter(revision -> !revision.equals(RecordedWriter.DELETING))
                .mapToLong(revision -> Math.abs(Long.parseLong(revision)))
                .max()
                .orElse(0);
    }

    private static Map<String, Long> entries(Store store) {
        var page = (ListResult.Page) store.list(CollectionScope.all("pods"), 0, "", 0);
        var entries = new HashMap<String, Long>();
        page.entries().forEach(entry -> entries.put(entry.key().name(), entry.revision()));
        return entries;
    }
}
