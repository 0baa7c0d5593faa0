package dev.berth.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordRoundTripTest {

    private static final int OBJECTS = 100;

    private final Codec codec = new Codec();

    static Stream<Kind<?>> kinds() {
        return Kinds.all().stream();
    }

    static Stream<Kind<?>> completeKinds() {
        return Kinds.all().stream().filter(Kind::isComplete);
    }

    @ParameterizedTest
    @MethodSource("completeKinds")
    void recordsPreserveInvalidObjects(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            writtenEqualsNormalised(kind, seed);
        }
    }

    private <T extends KubernetesObject> void writtenEqualsNormalised(Kind<T> kind, int seed) {
        var tree = new RandomTrees(seed, chance(seed)).object(kind);
        var read = codec.readTree(kind, tree, UnknownFieldPolicy.STRICT).orThrow();
        assertThat(codec.toTree(kind, read))
                .describedAs("seed %d: %s", seed, JsonWriter.pretty(tree))
                .isEqualTo(SchemaCheck.normalise(kind, tree));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void streamAndTreeDecodeEqually(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            streamEqualsTree(kind, seed);
        }
    }

    private <T extends KubernetesObject> void streamEqualsTree(Kind<T> kind, int seed) {
        var tree = new RandomTrees(seed, chance(seed)).object(kind);
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
    void normalisingTwiceChangesNothing(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            var tree = new RandomTrees(seed, chance(seed)).object(kind);
            var once = SchemaCheck.normalise(kind, tree);
            assertThat(SchemaCheck.normalise(kind, once))
                    .describedAs("seed %d", seed)
                    .isEqualTo(once);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void checkedAndRawTreesNormaliseEqually(Kind<?> kind) {
        for (var seed = 0; seed < OBJECTS; seed++) {
            var tree = new RandomTrees(seed, chance(seed)).object(kind);
            var checked = SchemaCheck.check(kind, kind.version(), tree);
            assertThat(checked.problems()).describedAs("seed %d", seed).isEmpty();
            assertThat(SchemaCheck.normalise(kind, checked.object()))
                    .describedAs("seed %d", seed)
                    .isEqualTo(SchemaCheck.normalise(kind, tree));
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void conversionBetweenVersionsIsLossless(Kind<?> kind) {
        for (var version : kind.versions()) {
            for (var seed = 0; seed < OBJECTS; seed++) {
                var tree = new RandomTrees(seed, chance(seed)).object(kind);
                var internal = representable(kind, SchemaCheck.normalise(kind, tree));
                var other = ApiVersions.fromInternal(kind, version, internal);
                assertThat(SchemaCheck.check(kind, version, other).problems()).isEmpty();
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
        var tree = new RandomTrees(seed, chance(seed)).object(kind);
        var internal = representable(kind, SchemaCheck.normalise(kind, tree));
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
            var trees = new RandomTrees(seed, chance(seed));
            trees.object(kind);
            some.addAll(trees.used());
        }
        var all = new RandomTrees(1, 1);
        for (var i = 0; i < OBJECTS; i++) {
            all.object(kind);
        }
        assertThat(some).isEqualTo(all.used());
    }

    private static double chance(int seed) {
        return seed % 3 == 0 ? 0.9 : seed % 3 == 1 ? 0.6 : 0.4;
    }

    /// Without what `v1beta1` cannot say: `nodeName: ""`, `allNodes: false` and an exact request
    /// with nothing in it.
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
        var className = changed.get("deviceClassName");
        if (className != null && className.equals(Json.of(""))) {
            changed.put("deviceClassName", Json.of("some"));
        }
        return new JsonObject(changed);
    }
}
