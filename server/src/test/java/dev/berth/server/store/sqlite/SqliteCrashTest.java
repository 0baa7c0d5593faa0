package dev.berth.server.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repeatedly kills a process that writes, and checks the files. System properties
/// `berth.crash.rounds` and `berth.crash.seed` set the number of kills and the seed.
class SqliteCrashTest {

    private static final int ROUNDS = Integer.getInteger("berth.crash.rounds", 10);
    private static final long SEED = Long.getLong("berth.crash.seed", 4);

    @TempDir private Path directory;

    /// The last acknowledged write of a key.
    private record Acknowledged(String verb, long step, long revision) {}

    @Test
    void acknowledgedWritesSurviveAKill() throws Exception {
        var file = directory.resolve(SqliteStore.FILE);
        var random = new Random(SEED);
        var before = Map.<ObjectKey, Entry>of();
        var newest = 0L;
        for (var round = 0; round < ROUNDS; round++) {
            var lines = killed(file, SEED * 1_000 + round, random.nextInt(50, 400));
            try (var store = SqliteStore.open(file)) {
                var after = entries(store);
                check("round " + round + " of seed " + SEED, lines, before, after);
                assertThat(store.revision())
                        .isGreaterThanOrEqualTo(newest)
                        .isGreaterThanOrEqualTo(newest(lines));
                newest = store.revision();
                before = after;
            }
        }
    }

    /// The output of a process until it was killed.
    private List<String> killed(Path file, long seed, long afterMillis) throws Exception {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrashingWriter.class.getName(),
                                file.toString(),
                                Long.toString(seed))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var output = process.inputReader()) {
            assertThat(output.readLine()).startsWith("ready");
            var lines = new ArrayList<String>();
            var killer =
                    Thread.ofVirtual()
                            .start(() -> {
                                sleep(Duration.ofMillis(afterMillis));
                                // Process would close its output as well.
                                process.toHandle().destroyForcibly();
                            });
            lines.addAll(lines(output));
            killer.join();
            process.waitFor();
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }

    /// Complete lines only: a line that was cut off was not acknowledged.
    private static List<String> lines(Reader output) throws IOException {
        var text = new StringBuilder();
        var buffer = new char[8_192];
        for (var count = output.read(buffer); count >= 0; count = output.read(buffer)) {
            text.append(buffer, 0, count);
        }
        var end = text.lastIndexOf("\n");
        return end < 0 ? List.of() : text.substring(0, end).lines().toList();
    }

    private static void check(
            String round,
            List<String> lines,
            Map<ObjectKey, Entry> before,
            Map<ObjectKey, Entry> after) {
        var acknowledged = new HashMap<ObjectKey, Acknowledged>();
        for (var line : lines) {
            var words = line.split(" ", -1);
            var key = new ObjectKey(CrashingWriter.COLLECTION, "n", words[1]);
            acknowledged.put(
                    key,
                    new Acknowledged(words[0], Long.parseLong(words[2]), Long.parseLong(words[3])));
        }
        assertThat(after.values()).as(round).allMatch(CrashingWriter::isWhole);
        assertThat(after.values()).as(round).extracting(Entry::revision).doesNotHaveDuplicates();
        for (var thread = 0; thread < CrashingWriter.THREADS; thread++) {
            // Each thread may have made one write without acknowledgement.
            var unacknowledged = 0;
            for (var number = 0; number < CrashingWriter.KEYS; number++) {
                var key = CrashingWriter.key(thread, number);
                unacknowledged +=
                        isAsAcknowledged(at(acknowledged, key), at(before, key), at(after, key))
                                ? 0
                                : 1;
            }
            assertThat(unacknowledged)
                    .as("%s: unexpected keys of thread %d", round, thread)
                    .isLessThan(2);
        }
        acknowledged.forEach((key, last) -> {
            if (after.containsKey(key)) {
                assertThat(after.get(key).revision())
                        .as("%s: %s", round, key)
                        .isGreaterThanOrEqualTo(last.revision);
            }
        });
    }

    private static <T> Optional<T> at(Map<ObjectKey, T> map, ObjectKey key) {
        return Optional.ofNullable(map.get(key));
    }

    private static boolean isAsAcknowledged(
            Optional<Acknowledged> acknowledged, Optional<Entry> before, Optional<Entry> after) {
        var revision = after.map(Entry::revision);
        return acknowledged.isEmpty()
                ? revision.equals(before.map(Entry::revision))
                : acknowledged.get().verb.equals("deleted")
                        ? after.isEmpty()
                        : revision.equals(Optional.of(acknowledged.get().revision));
    }

    private static long newest(List<String> lines) {
        return lines.stream()
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .max()
                .orElse(0);
    }

    private static Map<ObjectKey, Entry> entries(Store store) {
        var page =
                (ListResult.Page)
                        store.list(CollectionScope.all(CrashingWriter.COLLECTION), 0, "", 0);
        var entries = new HashMap<ObjectKey, Entry>();
        page.entries().forEach(entry -> entries.put(entry.key(), entry));
        return entries;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
