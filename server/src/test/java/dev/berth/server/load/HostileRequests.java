package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.schema.Schemas;
import dev.berth.schema.Schemas.KindName;
import dev.berth.schema.protobuf.HostileMessages;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.registry.Resource;
import dev.berth.server.schema.SampleObjects;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/// Malformed and malicious requests. Each is determined by a seed and its number.
final class HostileRequests {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String YAML = "Content-Type: application/yaml\r\n";
    private static final String PROTOBUF = "Content-Type: application/vnd.kubernetes.protobuf\r\n";
    private static final String ACCEPT_PROTOBUF = "Accept: application/vnd.kubernetes.protobuf\r\n";
    private static final ProtobufCodec CODEC = ProtobufCodec.builtIn();
    private static final List<String> PATCHES =
            List.of(
                    "application/json-patch+json",
                    "application/merge-patch+json",
                    "application/strategic-merge-patch+json",
                    "application/apply-patch+yaml");

    /// A request.
    ///
    /// @param what description for error messages
    /// @param ends true when the client stops sending after it
    /// @param mayBeCut true when the server may close the connection without a response
    @SuppressWarnings("ArrayRecordComponent")
    record Hostile(String what, byte[] bytes, boolean ends, boolean mayBeCut) {}

    private record Seed(String path, JsonObject object) {}

    private final long seed;
    private final List<Seed> valid;
    private final List<Seed> samples;

    HostileRequests(long seed) {
        this.seed = seed;
        this.valid = valid();
        this.samples = samples(valid.stream().map(Seed::path).toList());
    }

    /// The collections of the requests, without made-up ones.
    List<String> paths() {
        return Stream.concat(valid.stream(), samples.stream()).map(Seed::path).toList();
    }

    /// Objects with all fields, of the kinds and versions that are not among these collections.
    private static List<Seed> samples(List<String> known) {
        var schemas = Schemas.builtIn();
        var samples = new ArrayList<Seed>();
        for (var kind : BuiltInKinds.all(KindOptions.of(FeatureGates.defaults()))) {
            for (var version : kind.versions()) {
                var struct = schemas.kind(kind.group(), version, kind.kind());
                if (!known.contains(path(kind, version)) && struct.isPresent()) {
                    var object =
                            SampleObjects.full(struct.get())
                                    .with("apiVersion", Json.of(kind.apiVersion(version)))
                                    .with("kind", Json.of(kind.kind()))
                                    .with("metadata", JsonObject.of("name", Json.of("seed")));
                    samples.add(new Seed(path(kind, version), object));
                }
            }
        }
        return samples;
    }

    /// The collection of a kind, in the namespace `default` for namespaced kinds.
    static String path(Resource kind, String version) {
        return (kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/")
                + version
                + (kind.isNamespaced() ? "/namespaces/default/" : "/")
                + kind.plural();
    }

    private static List<Seed> valid() {
        try (InputStream stream =
                Objects.requireNonNull(
                        HostileRequests.class.getResourceAsStream("/hostile/objects.jsonl"))) {
            var seeds = new ArrayList<Seed>();
            for (var line : new String(stream.readAllBytes(), UTF_8).lines().toList()) {
                var read = (JsonObject) root(line);
                seeds.add(new Seed(read.text("path"), read.objectOrEmpty("object")));
            }
            return seeds;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Json root(String text) {
        return ((ParseResult.Documents) JsonReader.read(text)).documents().getFirst().root();
    }

    /// Valid objects as create requests, so that there are objects to modify.
    List<Hostile> furniture() {
        return valid.stream()
                .map(one -> plain("create " + one.path, "POST", one.path, JSON, text(one.object)))
                .toList();
    }

    Hostile request(int number) {
        var random = new Random(seed * 1_000_003 + number);
        // Samples are invalid and large; most requests start from objects that are nearly valid.
        var one = HostileValues.pick(random.nextInt(4) == 0 ? samples : valid, random);
        // Large requests are rare, since they take most of the time.
        if (number % 1_000 == 0) {
            return huge(one, random);
        }
        return switch (number % 20) {
            case 0, 1, 2, 3, 4 -> odd(one, random);
            case 5, 6 -> broken(one, random);
            case 7, 8, 9 -> patch(one, random);
            case 10 -> new HostileTexts(random).request(one.path);
            case 11 -> update(one, random);
            case 12, 13 -> HostileAddresses.path(one.path, random);
            case 14, 15 -> HostileAddresses.query(one.path, random);
            case 16 -> HostileAddresses.headers(one.path, text(one.object), random);
            case 17 -> delete(one, random);
            case 18 -> binary(one, random);
            default ->
                    number % 200 == 19
                            ? cut(one, random)
                            : HostileAddresses.method(one.path, random);
        };
    }

    static Hostile plain(String what, String method, String target, String headers, byte[] body) {
        return new Hostile(what, RawClient.request(method, target, headers, body), false, false);
    }

    private static byte[] text(Json value) {
        return JsonWriter.compact(value).getBytes(UTF_8);
    }

    private static String target(Seed one, Random random) {
        return one.path
                + HostileValues.pick(
                        List.of(
                                "",
                                "",
                                "?dryRun=All",
                                "?fieldValidation=Strict",
                                "?fieldManager=" + "m".repeat(random.nextInt(200)),
                                "?pretty=true"),
                        random);
    }

    private Json changed(Seed one, Random random) {
        Json tree = one.object;
        for (var times = random.nextInt(1, 4); times > 0; times--) {
            tree = HostileValues.changed(tree, random);
        }
        if (tree instanceof JsonObject object && random.nextInt(3) > 0) {
            var metadata = object.objectOrEmpty("metadata");
            return object.with(
                    "metadata", metadata.with("name", Json.of("x" + random.nextInt(1_000_000))));
        }
        return tree;
    }

    private Hostile odd(Seed one, Random random) {
        return plain("odd object", "POST", target(one, random), JSON, text(changed(one, random)));
    }

    private Hostile broken(Seed one, Random random) {
        var bytes = text(one.object);
        for (var times = random.nextInt(1, 6); times > 0; times--) {
            var at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes[at] = (byte) "{}[]\",:\\0".charAt(random.nextInt(9));
                default -> bytes[at] = (byte) 0xc0;
            }
        }
        var type = random.nextBoolean() ? JSON : YAML;
        return plain("broken text", "POST", target(one, random), type, bytes);
    }

    private Hostile patch(Seed one, Random random) {
        var name = one.object.objectOrEmpty("metadata").text("name");
        var type = HostileValues.pick(PATCHES, random);
        var body =
                type.equals(PATCHES.getFirst())
                        ? new HostileTexts(random).jsonPatch()
                        : text(changed(one, random));
        var query = type.equals(PATCHES.getLast()) ? "?fieldManager=h&force=true" : "";
        var part = random.nextInt(5) == 0 ? "/status" : "";
        return plain(
                type,
                "PATCH",
                one.path + "/" + (name.isEmpty() ? "x" : name) + part + query,
                "Content-Type: " + type + "\r\n",
                body);
    }

    private Hostile update(Seed one, Random random) {
        var name = one.object.objectOrEmpty("metadata").text("name");
        var changed = changed(one, random);
        if (changed instanceof JsonObject object && random.nextInt(4) > 0) {
            var metadata = object.objectOrEmpty("metadata").with("name", Json.of(name));
            changed = object.with("metadata", metadata);
        }
        var part = random.nextInt(4) == 0 ? "/status" : "";
        var path = one.path + "/" + (name.isEmpty() ? "x" : name) + part;
        return plain("update", "PUT", path, JSON, text(changed));
    }

    private Hostile delete(Seed one, Random random) {
        var options =
                JsonObject.of("kind", Json.of("DeleteOptions"))
                        .with("apiVersion", Json.of("v1"))
                        .with("gracePeriodSeconds", HostileValues.any(random))
                        .with("propagationPolicy", HostileValues.any(random))
                        .with("preconditions", JsonObject.of("uid", HostileValues.any(random)))
                        .with("dryRun", Json.array(HostileValues.any(random)));
        var body = random.nextBoolean() ? HostileValues.changed(options, random) : options;
        return plain("delete", "DELETE", one.path + "/seed", JSON, text(body));
    }

    /// A protobuf body: of the kind of the path, valid or malicious, or random bytes.
    private Hostile binary(Seed one, Random random) {
        var name = one.object.objectOrEmpty("metadata").text("name");
        var apiVersion = one.object.text("apiVersion");
        var kind = one.object.text("kind");
        if (random.nextInt(6) == 0 || !CODEC.knows(apiVersion, kind)) {
            return noise(one, random);
        }
        var object = CODEC.enveloped(one.object, apiVersion, kind);
        var valid =
                Arrays.copyOfRange(
                        object.bytes(), object.offset(), object.offset() + object.length());
        var slash = apiVersion.indexOf('/');
        var type =
                new KindName(
                        slash < 0 ? "" : apiVersion.substring(0, slash),
                        apiVersion.substring(slash + 1),
                        kind);
        var body = new HostileMessages(random).body(type, valid);
        var update = random.nextInt(3) == 0;
        return plain(
                "protobuf " + kind,
                update ? "PUT" : "POST",
                update ? one.path + "/" + name : target(one, random),
                PROTOBUF + (random.nextBoolean() ? ACCEPT_PROTOBUF : ""),
                body);
    }

    private Hostile noise(Seed one, Random random) {
        var bytes = new byte[random.nextInt(400)];
        random.nextBytes(bytes);
        if (bytes.length > 20 && random.nextInt(4) > 0) {
            // The magic number and an envelope with the kind.
            var kind = one.object.text("kind");
            var head = "k8s\0\n" + (char) (4 + kind.length()) + "\n\2v1\22" + (char) kind.length();
            var text = (head + kind).getBytes(UTF_8);
            System.arraycopy(text, 0, bytes, 0, Math.min(text.length, bytes.length));
        }
        return plain("binary", "POST", target(one, random), PROTOBUF, bytes);
    }

    /// A truncated body.
    private Hostile cut(Seed one, Random random) {
        var whole = RawClient.request("POST", one.path, JSON, text(one.object));
        var length = whole.length - random.nextInt(1, whole.length - 30);
        return new Hostile("cut short", Arrays.copyOf(whole, length), true, true);
    }

    private Hostile huge(Seed one, Random random) {
        var body = new byte[random.nextBoolean() ? 10 << 20 : 3 << 20];
        Arrays.fill(body, (byte) (random.nextBoolean() ? '[' : ' '));
        var bytes = RawClient.request("POST", one.path, random.nextBoolean() ? JSON : YAML, body);
        return new Hostile("huge body", bytes, false, true);
    }
}
