package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.Tls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a server that is written to over HTTPS, again and again, and looks at what is left. System
/// properties `berth.crash.rounds` and `berth.crash.seed` ask for more, or for the same again.
class ServerCrashTest {

    private static final int ROUNDS = Integer.getInteger("berth.crash.rounds", 50);
    private static final long SEED = Long.getLong("berth.crash.seed", 4);
    private static final int WRITERS = 8;
    private static final int NAMES = 10;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    /// An object as the server tells of it.
    private record Seen(String revision, String text) {}

    /// What the server has acknowledged of each name, and what was under way when it was killed.
    ///
    /// @param begun open as soon as there was a first acknowledgement
    private record Told(
            Map<String, Optional<Seen>> acknowledged,
            Map<String, String> doubtful,
            CountDownLatch begun) {

        static Told of(Map<String, Optional<Seen>> acknowledged) {
            return new Told(acknowledged, new ConcurrentHashMap<>(), new CountDownLatch(1));
        }
    }

    /// A list.
    private record State(long revision, Map<String, Seen> objects) {}

    @TempDir private Path directory;

    @Test
    void whatWasAcknowledgedIsThereAfterAKill() throws Exception {
        var random = new Random(SEED);
        var told = Told.of(new ConcurrentHashMap<>());
        var newest = 0L;
        var writes = 0;
        for (var round = 0; round <= ROUNDS; round++) {
            var process = start();
            try {
                var server = URI.create(process.inputReader().readLine());
                var state = list(server);
                check("round %d of seed %d".formatted(round, SEED), told, state, newest);
                newest = state.revision;
                told = Told.of(known(state));
                if (round < ROUNDS) {
                    writes += killed(process, server, told, random);
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        System.out.printf("%d rounds of seed %d, %,d writes were told%n", ROUNDS, SEED, writes);
        assertThat(writes).as("a test without writes shows nothing").isGreaterThan(ROUNDS);
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
        return Tls.context(authority, authority.client("test", "test", List.of("system:masters")));
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
                var name = "w%d-%d".formatted(writer, random.nextInt(NAMES));
                var isThere = told.acknowledged.getOrDefault(name, Optional.empty()).isPresent();
                var text = isThere && random.nextInt(4) == 0 ? "" : text(name, random);
                told.doubtful.put(name, text);
                told.acknowledged.put(name, written(client, name, isThere, text));
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
                if (name.startsWith("w")) {
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

    private static JsonObject tree(String text) {
        return JsonReader.read(text) instanceof Reading.Documents(var documents)
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

    /// Text that tells whether all of it is there.
    private static String text(String name, Random random) {
        var text = name + " " + "x".repeat(random.nextInt(4_000));
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
