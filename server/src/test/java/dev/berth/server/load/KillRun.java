package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.ServerTls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import javax.net.ssl.SSLContext;

/// Kills a server that is written to and watched over HTTPS, again and again. After each restart
/// acknowledged writes must be there, deleted objects must not, revisions must not go back, and the
/// watch must resume without a gap. Violations are thrown as [AssertionError].
final class KillRun {

    private static final int WRITERS = 8;
    private static final int NAMES = 10;

    /// Names of the objects that writers own begin with it.
    static final String PREFIX = "w";

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    /// An object as the server tells of it.
    private record Seen(String revision, String text) {}

    /// What the server has acknowledged of each name, and what was under way when it was killed.
    ///
    /// @param revisions of all acknowledged creations and updates
    /// @param begun open as soon as there was a first acknowledgement
    private record Told(
            Map<String, Optional<Seen>> acknowledged,
            Map<String, String> doubtful,
            Set<Long> revisions,
            CountDownLatch begun) {

        static Told of(Map<String, Optional<Seen>> acknowledged) {
            return new Told(
                    acknowledged,
                    new ConcurrentHashMap<>(),
                    ConcurrentHashMap.newKeySet(),
                    new CountDownLatch(1));
        }
    }

    /// A list.
    private record State(long revision, Map<String, Seen> objects) {}

    /// What a run did.
    ///
    /// @param resumptions watches that went on after their last event on another connection
    /// @param expired watches that were answered with 410 after a restart and began with a list
    record Totals(int kills, long writes, long events, long resumptions, long expired) {}

    private final Path directory;
    private final long seed;

    /// @param directory the data directory of the server, empty or of an earlier run
    KillRun(Path directory, long seed) {
        this.directory = directory;
        this.seed = seed;
    }

    Totals run(int kills) throws Exception {
        var random = new Random(seed);
        var told = Told.of(new ConcurrentHashMap<>());
        var watch = new ResumedWatch(CONFIG_MAPS);
        var newest = 0L;
        var writes = 0L;
        for (var round = 0; round <= kills; round++) {
            var name = "kill %d of seed %d".formatted(round, seed);
            var process = start();
            try {
                var server = URI.create(process.inputReader().readLine());
                var state = list(server);
                if (round > 0) {
                    check(name, told, state, newest);
                }
                newest = state.revision;
                told = Told.of(known(state));
                try (var client = new RawClient(server, admin());
                        var follower = Executors.newSingleThreadExecutor()) {
                    var marker = mark(client, round);
                    var open = watch.resume(name, client, state.revision, revisions(state), marker);
                    if (round < kills) {
                        var tls = admin();
                        var followed =
                                follower.submit(() ->
                                        watch.follow(name, open, () -> new RawClient(server, tls)));
                        writes += killed(process, server, told, random);
                        followed.get();
                        watch.check(name, told.revisions);
                    } else {
                        open.close();
                    }
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        return new Totals(kills, writes, watch.events(), watch.resumptions(), watch.expired());
    }

    private static Map<String, Long> revisions(State state) {
        var revisions = new HashMap<String, Long>();
        state.objects.forEach((name, seen) -> revisions.put(name, Long.valueOf(seen.revision)));
        return revisions;
    }

    /// Creates an object whose event ends the resumption of the watch; returns its revision.
    private static long mark(RawClient client, int round) throws IOException {
        var answer =
                client.json(
                        "POST",
                        CONFIG_MAPS,
                        "{\"metadata\":{\"generateName\":\"marker-%d-\"}}".formatted(round));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return Long.parseLong(seen(tree(answer.body().orElse(""))).revision);
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingServer.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private SSLContext admin() {
        var authority = CertificateAuthority.open(directory.resolve("pki"), Clock.systemUTC());
        return ServerTls.context(
                authority, authority.client("test", "test", List.of("system:masters")));
    }

    private static Map<String, Optional<Seen>> known(State state) {
        var known = new ConcurrentHashMap<String, Optional<Seen>>();
        state.objects.forEach((name, seen) -> known.put(name, Optional.of(seen)));
        return known;
    }

    /// Writes until the server is killed; says how many writes were acknowledged.
    private int killed(Process process, URI server, Told told, Random random) throws Exception {
        var tls = admin();
        var seed = random.nextLong();
        var afterMillis = random.nextInt(20, 500);
        var writes = 0;
        try (var threads = Executors.newFixedThreadPool(WRITERS + 1)) {
            var writers =
                    IntStream.range(0, WRITERS)
                            .mapToObj(writer ->
                                    threads.submit(() ->
                                            write(
                                                    server,
                                                    tls,
                                                    told,
                                                    writer,
                                                    new Random(seed + writer))))
                            .toList();
            assertThat(told.begun.await(60, TimeUnit.SECONDS)).as("there are writes").isTrue();
            Thread.sleep(afterMillis);
            process.destroyForcibly().waitFor();
            for (var writer : writers) {
                writes += writer.get();
            }
        }
        return writes;
    }

    /// Each writer has names of its own.
    private static int write(URI server, SSLContext tls, Told told, int writer, Random random) {
        var writes = 0;
        try (var client = new RawClient(server, tls)) {
            while (true) {
                var name = "%s%d-%d".formatted(PREFIX, writer, random.nextInt(NAMES));
                var isThere = told.acknowledged.getOrDefault(name, Optional.empty()).isPresent();
                var text = isThere && random.nextInt(4) == 0 ? "" : text(name, random);
                told.doubtful.put(name, text);
                var written = written(client, name, isThere, text);
                written.ifPresent(seen -> told.revisions.add(Long.valueOf(seen.revision)));
                told.acknowledged.put(name, written);
                told.doubtful.remove(name);
                told.begun.countDown();
                writes++;
            }
        } catch (IOException _) {
            // The server is gone, as it should be.
            return writes;
        }
    }

    private static Optional<Seen> written(
            RawClient client, String name, boolean isThere, String text) throws IOException {
        var one = CONFIG_MAPS + "/" + name;
        var body =
                "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"text\":\"%s\"}}".formatted(name, text);
        var answer =
                text.isEmpty()
                        ? client.json("DELETE", one, "")
                        : isThere
                                ? client.json("PUT", one, body)
                                : client.json("POST", CONFIG_MAPS, body);
        if (answer.status() >= 300) {
            throw new IllegalStateException("nobody else writes " + name + ": " + answer);
        }
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(seen(tree(answer.body().orElse(""))));
    }

    private State list(URI server) throws IOException {
        try (var client = new RawClient(server, admin())) {
            var list = tree(client.get(CONFIG_MAPS).body().orElse(""));
            var objects = new HashMap<String, Seen>();
            for (var object : list.objects("items")) {
                var name = object.objectOrEmpty("metadata").text("name");
                if (name.startsWith(PREFIX)) {
                    objects.put(name, seen(object));
                }
            }
            var revision = list.objectOrEmpty("metadata").text("resourceVersion");
            return new State(Long.parseLong(revision), objects);
        }
    }

    private static Seen seen(JsonObject object) {
        return new Seen(
                object.objectOrEmpty("metadata").text("resourceVersion"),
                object.objectOrEmpty("data").text("text"));
    }

    static JsonObject tree(String text) {
        return JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    private static void check(String round, Told told, State state, long newest) {
        assertThat(state.revision).as(round).isGreaterThanOrEqualTo(newest);
        state.objects.forEach((name, seen) -> {
            assertThat(isWhole(name, seen.text)).as("%s: %s is whole", round, name).isTrue();
            assertThat(told.acknowledged.containsKey(name) || told.doubtful.containsKey(name))
                    .as("%s: %s was written by somebody", round, name)
                    .isTrue();
        });
        told.acknowledged.forEach((name, last) -> {
            var now = Optional.ofNullable(state.objects.get(name));
            last.ifPresent(seen ->
                    assertThat(state.revision)
                            .as("%s: %s", round, name)
                            .isGreaterThanOrEqualTo(Long.parseLong(seen.revision)));
            if (!now.equals(last)) {
                // Only what was under way may have happened as well.
                assertThat(now.map(Seen::text).orElse(""))
                        .as("%s: %s", round, name)
                        .isEqualTo(told.doubtful.get(name));
            }
        });
    }

    /// Text that tells whether all of it is there. No two are equal: a write that changes nothing
    /// has no event.
    private static String text(String name, Random random) {
        var text = "%s %d %s".formatted(name, random.nextLong(), "x".repeat(random.nextInt(4_000)));
        return text + " " + checksum(text);
    }

    private static boolean isWhole(String name, String text) {
        var end = text.lastIndexOf(' ');
        return text.startsWith(name + " ")
                && text.substring(end + 1).equals(Long.toString(checksum(text.substring(0, end))));
    }

    private static long checksum(String text) {
        var checksum = new CRC32();
        checksum.update(text.getBytes(UTF_8));
        return checksum.getValue();
    }
}
