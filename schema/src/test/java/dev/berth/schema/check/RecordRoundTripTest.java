package dev.berth.schema.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.ApiVersions;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordRoundTripTest {

    private static final int OBJECTS = 100;

    private static final Set<Json> ZEROS =
            Set.of(
                    JsonNull.INSTANCE,
                    Json.of(""),
                    Json.of(0),
                    Json.of("0"),
                    Json.of(false),
                    Json.of("1970-01-01T00:00:00Z"),
                    JsonArray.EMPTY,
                    JsonObject.EMPTY);

    private final Codec codec = new Codec();
    private final ObjectCheck check = new ObjectCheck(codec);

    static Stream<Kind<?>> kinds() {
        return Kinds.all().stream();
    }

    static Stream<Kind<?>> completeKinds() {
        return Kinds.all().stream().filter(kind -> kind.group().equals(Kinds.RESOURCE_GROUP));
    }

    @ParameterizedTest
    @MethodSource("completeKinds")
    void recordsPreserveInvalidObjects(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            writtenEqualsCanonical(kind, seed);
        }
    }

    private <T extends KubernetesObject> void writtenEqualsCanonical(Kind<T> kind, int seed) {
        var tree = new RandomObjects(seed, chance(seed)).object(kind);
        var read = codec.readTree(kind, tree, UnknownFieldPolicy.STRICT).orThrow();
        assertThat(withoutZeros(codec.toTree(kind, read)))
                .describedAs("seed %d: %s", seed, JsonWriter.pretty(tree))
                .isEqualTo(withoutZeros(canonical(kind, tree)));
    }

    private JsonObject canonical(Kind<?> kind, JsonObject tree) {
        return check.check(kind, kind.version(), tree).object();
    }

    /// The value without members that are zero, which records write or omit by the rules of their
    /// fields, and without `selfLink`, which Kubernetes does not set any more.
    private static Json withoutZeros(Json value) {
        return switch (value) {
            case JsonArray(var items) ->
                    new JsonArray(items.stream().map(RecordRoundTripTest::withoutZeros).toList());
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                object.members()
                        .forEach((name, member) -> {
                            var inner = withoutZeros(member);
                            if (!ZEROS.contains(inner) && !name.equals("selfLink")) {
                                members.put(name, inner);
                            }
                        });
                yield new JsonObject(members);
            }
            default -> value;
        };
    }

    /// Every field of the schema is in the mapping: none is unknown, none is lost.
    @ParameterizedTest
    @MethodSource("completeKinds")
    void mappingsHaveEveryFieldOfTheSchema(Kind<?> kind) {
        for (var version : kind.versions()) {
            var tree = new RandomObjects(1, 1).object(kind, version);
            assertThat(codec.problems(kind, version, tree)).as("%s %s", kind, version).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void streamAndTreeDecodeEqually(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            streamEqualsTree(kind, seed);
        }
    }

    private <T extends KubernetesObject> void streamEqualsTree(Kind<T> kind, int seed) {
        var tree = new RandomObjects(seed, chance(seed)).object(kind);
        var json = JsonWriter.compact(tree).getBytes(StandardCharsets.UTF_8);
        var fromTree = codec.readTree(kind, tree, UnknownFieldPolicy.STRICT).orThrow();
        var fromJson =
                codec.readJson(kind, kind.version(), json, UnknownFieldPolicy.STRICT).orThrow();
        assertThat(fromJson).describedAs("seed %d", seed).isEqualTo(fromTree);
        var written = codec.toJson(kind, fromJson);
        assertThat(
                        codec.readJson(kind, kind.version(), written, UnknownFieldPolicy.STRICT)
                                .orThrow())
                .describedAs("seed %d", seed)
                .isEqualTo(fromTree);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void checkingTwiceChangesNothing(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            var tree = new RandomObjects(seed, chance(seed)).object(kind);
            var once = check.check(kind, kind.version(), tree);
            assertThat(once.problems()).describedAs("seed %d", seed).isEmpty();
            assertThat(canonical(kind, once.object()))
                    .describedAs("seed %d", seed)
                    .isEqualTo(once.object());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void conversionBetweenVersionsIsLossless(Kind<?> kind) {
        for (var version : kind.versions()) {
            for (var seed = 0; seed < OBJECTS; seed++) {
                var tree = new RandomObjects(seed, chance(seed)).object(kind);
                var internal = representable(kind, canonical(kind, tree));
                var other = ApiVersions.fromInternal(kind, version, internal);
                assertThat(codec.problems(kind, version, other)).isEmpty();
                var back = ApiVersions.toInternal(kind, version, other);
                assertThat(back).describedAs("%s, seed %d", version, seed).isEqualTo(internal);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyVersionDecodesToTheSameRecord(Kind<?> kind) {
        for (var version : kind.versions()) {
            for (var seed = 0; seed < OBJECTS; seed++) {
                sameRecord(kind, version, seed);
            }
        }
    }

    private <T extends KubernetesObject> void sameRecord(Kind<T> kind, String version, int seed) {
        var tree = new RandomObjects(seed, chance(seed)).object(kind);
        var internal = representable(kind, canonical(kind, tree));
        var record = codec.readTree(kind, internal, UnknownFieldPolicy.STRICT).orThrow();
        var json =
                JsonWriter.compact(ApiVersions.fromInternal(kind, version, internal))
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(codec.readJson(kind, version, json, UnknownFieldPolicy.STRICT).orThrow())
                .describedAs("%s, seed %d", version, seed)
                .isEqualTo(record);
    }

    @ParameterizedTest
    @MethodSource("completeKinds")
    void randomObjectsUseEveryField(Kind<?> kind) {
        var some = new TreeSet<String>();
        for (var seed = 0; seed < OBJECTS; seed++) {
            var trees = new RandomObjects(seed, chance(seed));
            trees.object(kind);
            some.addAll(trees.used());
        }
        var all = new RandomObjects(1, 1);
        for (var i = 0; i < OBJECTS; i++) {
            all.object(kind);
        }
        assertThat(some).isEqualTo(all.used());
    }

    private static double chance(int seed) {
        return seed % 3 == 0 ? 0.9 : seed % 3 == 1 ? 0.6 : 0.4;
    }

    /// Without what `v1beta1` cannot represent: `nodeName: ""`, `allNodes: false` and an exact
    /// request without a field.
    private static JsonObject representable(Kind<?> kind, JsonObject tree) {
        return switch (kind.name()) {
            case "ResourceSlice" -> (JsonObject) withoutEmptyScope(tree);
            case "ResourceClaim", "ResourceClaimTemplate" -> (JsonObject) withClassNames(tree);
            default -> tree;
        };
    }

    private static Json withoutEmptyScope(JsonObject slice) {
        var spec = slice.objectOrEmpty("spec");
        if (spec.string("nodeName").filter(String::isEmpty).isPresent()) {
            spec = spec.without("nodeName");
        }
        if (!spec.flag("allNodes").orElse(true)) {
            spec = spec.without("allNodes");
        }
        return slice.with("spec", spec);
    }

    private static Json withClassNames(Json tree) {
        if (tree instanceof JsonArray(var items)) {
            var changed = new ArrayList<Json>();
            items.forEach(item -> changed.add(withClassNames(item)));
            return new JsonArray(changed);
        }
        if (!(tree instanceof JsonObject(var members))) {
            return tree;
        }
        var changed = new LinkedHashMap<String, Json>();
        members.forEach((name, value) -> changed.put(name, withClassNames(value)));
        if (changed.get("exactly") instanceof JsonObject exact) {
            changed.put("exactly", exact.with("deviceClassName", Json.of("some")));
        }
        return new JsonObject(changed);
    }
}
