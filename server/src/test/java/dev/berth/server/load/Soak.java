package dev.berth.server.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Properties;

/// `scripts/soak`: a long run of kills and hostile requests, with the code of [ServerCrashTest] and
/// [HostileRequestsTest].
///
/// Work is done in batches, each with its number as the seed. After each batch the counts are
/// written to `soak.properties` in the directory, where the next start continues. The data
/// directory of a failed batch is kept.
final class Soak {

    private static final int KILLS_PER_BATCH = 25;
    private static final int REQUESTS_PER_BATCH = 20_000;

    private final Path directory;
    private final Path file;
    private final Properties state = new Properties();

    private Soak(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.file = directory.resolve("soak.properties");
        if (Files.exists(file)) {
            try (var reader = Files.newBufferedReader(file)) {
                state.load(reader);
            }
        }
    }

    /// Arguments: the number of kills, the number of requests, the directory.
    public static void main(String[] arguments) throws Exception {
        var soak = new Soak(Path.of(arguments[2]));
        soak.kill(Integer.parseInt(arguments[0]));
        soak.send(Integer.parseInt(arguments[1]));
        soak.print();
        System.exit(soak.number("failures") == 0 ? 0 : 1);
    }

    private interface Batch {
        void run(Path data, int count) throws Exception;
    }

    private void kill(int all) throws IOException {
        while (number("kills") < all) {
            var count = Math.min(KILLS_PER_BATCH, all - (int) number("kills"));
            batch(
                    "kills",
                    count,
                    (data, kills) -> {
                        var totals = new KillRun(data, number("kills.batches")).run(kills);
                        add("kills.writes", totals.writes());
                        add("kills.events", totals.events());
                        add("kills.resumptions", totals.resumptions());
                        add("kills.expired", totals.expired());
                    });
        }
    }

    private void send(int all) throws IOException {
        while (number("requests") < all) {
            var count = Math.min(REQUESTS_PER_BATCH, all - (int) number("requests"));
            batch(
                    "requests",
                    count,
                    (data, requests) -> {
                        var totals = new HostileRun(number("requests.batches")).run(data, requests);
                        totals.responses()
                                .forEach((digit, n) -> add("requests.answers." + digit, n));
                        if (!totals.violations().isEmpty()) {
                            throw new AssertionError(String.join("\n", totals.violations()));
                        }
                    });
        }
    }

    private void batch(String what, int count, Batch batch) throws IOException {
        var number = number(what + ".batches");
        var data = directory.resolve("%s-%d".formatted(what, number));
        delete(data);
        var started = Instant.now();
        try {
            batch.run(data, count);
            delete(data);
        } catch (Exception | AssertionError e) {
            add("failures", 1);
            System.out.printf("FAILED batch %d of %s, data in %s: %s%n", number, what, data, e);
        }
        add(what, count);
        add(what + ".batches", 1);
        add(what + ".seconds", Duration.between(started, Instant.now()).toSeconds());
        store();
        System.out.printf(
                "%s: %,d done, %,d failed batches%n", what, number(what), number("failures"));
    }

    private long number(String name) {
        return Long.parseLong(state.getProperty(name, "0"));
    }

    private void add(String name, long more) {
        state.setProperty(name, Long.toString(number(name) + more));
    }

    private void store() throws IOException {
        var fresh = file.resolveSibling("soak.properties.new");
        try (var writer = Files.newBufferedWriter(fresh)) {
            state.store(writer, "Counts of scripts/soak");
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (var files = Files.walk(directory)) {
                for (var one : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(one);
                }
            }
        }
    }

    private void print() {
        System.out.printf(
                """

                | what | number |
                |---|---|
                | kill -9 of a server under 8 writers and a watcher | %,d in %,d s |
                | acknowledged writes, all present after the restart | %,d |
                | watch events, none missed | %,d |
                | watches that resumed after their last event | %,d |
                | watches that began with a list after 410 on restart | %,d |
                | hostile requests over all kinds | %,d in %,d s |
                | answers 1xx, 2xx, 3xx, 4xx | %,d, %,d, %,d, %,d |
                | answers 505 to HTTP versions that do not exist; other 5xx fail | %,d |
                | connections that end without an answer, as sent | %,d |
                | failed batches | %,d |
                """,
                number("kills"),
                number("kills.seconds"),
                number("kills.writes"),
                number("kills.events"),
                number("kills.resumptions"),
                number("kills.expired"),
                number("requests"),
                number("requests.seconds"),
                number("requests.answers.1"),
                number("requests.answers.2"),
                number("requests.answers.3"),
                number("requests.answers.4"),
                number("requests.answers.5"),
                number("requests.answers.0"),
                number("failures"));
    }
}
