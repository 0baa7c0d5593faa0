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

/// Kills a server that is written to and watched over HTTPS, repeatedly. After each restart
/// acknowledged writes must be stored, deleted objects must not, revisions must not decrease, and
/// the watch must resume without a gap. Violations are thrown as [AssertionError].
final class KillRun {

    private static final int WRITERS = 8;
    private static final int NAMES = 10;

    /// Prefix of the names of the objects that writers own.
    static final String PREFIX = "w";

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    /// An object as returned by the server.
    private record ObjectState(String revision, String text) {}

    /// Acknowledged state of each name, and the writes in progress when the server was killed.
    ///
    /// @param revisions of all acknowledged creates and updates
    /// @param begun open after the first acknowledgement
    private record WriteHistory(
            Map<String, Optional<ObjectState>> acknowledged,
            Map<String, String> doubtful,
            Set<Long> revisions,
            CountDownLatch begun) {

        static WriteHistory of(Map<String, Optional<ObjectState>> acknowledged) {
            return new WriteHistory(
                    acknowledged,
                    new ConcurrentHashMap<>(),
                    ConcurrentHashMap.newKeySet(),
                    new CountDownLatch(1));
        }
    }

    /// A list.
    private record State(long revision, Map<String, ObjectState> objects) {}

    /// Counts of a run.
    ///
    /// @param resumptions watches that resumed after their last event on another connection
    /// @param expired watches that got 410 after a restart and started with a list
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
        var history = WriteHistory.of(new ConcurrentHashMap<>());
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
                    check(name, history, state, newest);
                }
                newest = state.revision;
                history = WriteHistory.of(known(state));
                try (var client = new RawClient(server, admin());
                        var follower = Executors.newSingleThreadExecutor()) {
                    var marker = mark(client, round);
                    var open = watch.resume(name, client, state.revision, revisions(state), marker);
                    if (round < kills) {
                        var tls = admin();
                        var followed =
                                follower.submit(() ->
                                        watch.readUntilKilled(
                                                name, open, () -> new RawClient(server, tls)));
                        writes += killed(process, server, history, random);
                        followed.get();
                        watch.check(name, history.revisions);
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
        state.objects.forEach(
                (name, objectState) -> revisions.put(name, Long.valueOf(objectState.revision)));
        return revisions;
    }

    /// Creates an object whose event ends the resumption of the watch; returns its revision.
    private static long mark(RawClient client, int round) throws IOException {
        var response =
                client.json(
                        "POST",
                        CONFIG_MAPS,
                        "{\"metadata\":{\"generateName\":\"marker-%d-\"}}".formatted(round));
        assertThat(response.status()).as(response.toString()).isEqualTo(201);
        return Long.parseLong(objectState(tree(response.body().orElse(""))).revision);
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

    private static Map<String, Optional<ObjectState>> known(State state) {
        var known = new ConcurrentHashMap<String, Optional<ObjectState>>();
        state.objects.forEach((name, objectState) -> known.put(name, Optional.of(objectState)));
        return known;
    }

    /// Writes until the server is killed; returns the number of acknowledged writes.
    private int killed(Process process, URI server, WriteHistory history, Random random)
            throws Exception {
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
                                                    history,
                                                    writer,
                                                    new Random(seed + writer))))
                            .toList();
            assertThat(history.begun.await(60, TimeUnit.SECONDS)).as("there are writes").isTrue();
            Thread.sleep(afterMillis);
            process.destroyForcibly().waitFor();
            for (var writer : writers) {
                writes += writer.get();
            }
        }
        return writes;
    }

    /// Each writer has names of its own.
    private static int write(
            URI server, SSLContext tls, WriteHistory history, int writer, Random random) {
        var writes = 0;
        try (var client = new RawClient(server, tls)) {
            while (true) {
                var name = "%s%d-%d".formatted(PREFIX, writer, random.nextInt(NAMES));
                var isThere = history.acknowledged.getOrDefault(name, Optional.empty()).isPresent();
                var text = isThere && random.nextInt(4) == 0 ? "" : text(name, random);
                history.doubtful.put(name, text);
                var written = written(client, name, isThere, text);
                written.ifPresent(
                        objectState -> history.revisions.add(Long.valueOf(objectState.revision)));
                history.acknowledged.put(name, written);
                history.doubtful.remove(name);
                history.begun.countDown();
                writes++;
            }
        } catch (IOException _) {
            // The server was killed, as expected.
            return writes;
        }
    }

    private static Optional<ObjectState> written(
            RawClient client, String name, boolean isThere, String text) throws IOException {
        var one = CONFIG_MAPS + "/" + name;
        var body =
                "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"text\":\"%s\"}}".formatted(name, text);
        var response =
                text.isEmpty()
                        ? client.json("DELETE", one, "")
                        : isThere
                                ? client.json("PUT", one, body)
                                : client.json("POST", CONFIG_MAPS, body);
        if (response.status() >= 300) {
            throw new IllegalStateException(
                    "unexpected concurrent write of " + name + ": " + response);
        }
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(objectState(tree(response.body().orElse(""))));
    }

    private State list(URI server) throws IOException {
        try (var client = new RawClient(server, admin())) {
            var list = tree(client.get(CONFIG_MAPS).body().orElse(""));
            var objects = new HashMap<String, ObjectState>();
            for (var object : list.objects("items")) {
                var name = object.objectOrEmpty("metadata").text("name");
                if (name.startsWith(PREFIX)) {
                    objects.put(name, objectState(object));
                }
            }
            var revision = list.objectOrEmpty("metadata").text("resourceVersion");
            return new State(Long.parseLong(revision), objects);
        }
    }

    private static ObjectState objectState(JsonObject object) {
        return new ObjectState(
                object.objectOrEmpty("metadata").text("resourceVersion"),
                object.objectOrEmpty("data").text("text"));
    }

    static JsonObject tree(String text) {
        return JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    private static void check(String round, WriteHistory history, State state, long newest) {
        assertThat(state.revision).as(round).isGreaterThanOrEqualTo(newest);
        state.objects.forEach((name, objectState) -> {
            assertThat(isComplete(name, objectState.text))
                    .as("%s: %s is complete", round, name)
                    .isTrue();
            assertThat(history.acknowledged.containsKey(name) || history.doubtful.containsKey(name))
                    .as("%s: %s has only writes of its writer", round, name)
                    .isTrue();
        });
        history.acknowledged.forEach((name, last) -> {
            var now = Optional.ofNullable(state.objects.get(name));
            last.ifPresent(objectState ->
                    assertThat(state.revision)
                            .as("%s: %s", round, name)
                            .isGreaterThanOrEqualTo(Long.parseLong(objectState.revision)));
            if (!now.equals(last)) {
                // Only writes in progress may have happened as well.
                assertThat(now.map(ObjectState::text).orElse(""))
                        .as("%s: %s", round, name)
                        .isEqualTo(history.doubtful.get(name));
            }
        });
    }

    /// A text with a checksum. No two are equal: a write that changes nothing has no event.
    private static String text(String name, Random random) {
        var text = "%s %d %s".formatted(name, random.nextLong(), "x".repeat(random.nextInt(4_000)));
        return text + " " + checksum(text);
    }

    private static boolean isComplete(String name, String text) {
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
