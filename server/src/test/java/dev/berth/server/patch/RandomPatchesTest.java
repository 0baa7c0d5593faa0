package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.ApplyResult.Merged;
import dev.berth.server.patch.ServerSideApply.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Properties of all patches on random objects; the display name of a failure is its seed.
final class RandomPatchesTest {

    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final ServerSideApply APPLY =
            new ServerSideApply(PatchTestTypes.KIND, FieldSet.of("status"));

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    private static Writer writer(String manager) {
        return new Writer(manager, "v1", "", NOON);
    }

    private static Merged forced(JsonObject live, JsonObject config, String manager) {
        return (Merged) APPLY.apply(live, config, writer(manager), true);
    }

    /// A live object after several applies and updates.
    private static JsonObject withHistory(RandomPatchValues random) {
        var live = JsonObject.EMPTY;
        for (var i = random.below(4); i > 0; i--) {
            if (random.coin()) {
                live = forced(live, random.object(), random.name()).object();
            } else {
                var next = random.object();
                live =
                        APPLY.onUpdate(live, next, ManagedFields.of(live), writer(random.name()))
                                .in(next);
            }
        }
        return live;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void applyIsIdempotent(long seed) {
        var random = new RandomPatchValues(seed);
        var config = random.object();
        var once = forced(withHistory(random), config, "m");
        var later = new Writer("m", "v1", "", NOON.plusSeconds(5));
        var twice = APPLY.apply(once.object(), config, later, false);
        assertThat(twice).isEqualTo(new Merged(once.object(), false));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void appliedFieldsArePresent(long seed) {
        var random = new RandomPatchValues(seed);
        var config = random.object();
        var merged = forced(withHistory(random), config, "m").object();
        var difference = FieldComparison.of(config, merged, PatchTestTypes.KIND);
        assertThat(
                        difference
                                .modified()
                                .intersection(TypedFields.fields(config, PatchTestTypes.KIND)))
                .isEqualTo(FieldSet.EMPTY);
        assertThat(difference.removed().difference(FieldSet.of("metadata", "spec")))
                .isEqualTo(FieldSet.EMPTY);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void managersOfDisjointFieldsNeverConflict(long seed) {
        var random = new RandomPatchValues(seed);
        var meta = random.object().without("spec");
        var spec = random.object().without("metadata");
        var live = forced(JsonObject.EMPTY, meta, "meta").object();
        for (var i = 0; i < 3; i++) {
            var one = APPLY.apply(live, spec, writer("spec"), false);
            assertThat(one).isInstanceOf(Merged.class);
            var two = APPLY.apply(((Merged) one).object(), meta, writer("meta"), false);
            assertThat(two).isInstanceOf(Merged.class);
            live = ((Merged) two).object();
            spec = random.object().without("metadata");
            meta = random.object().without("spec");
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void applyingAnEmptyConfigurationRemovesOwnedFields(long seed) {
        var random = new RandomPatchValues(seed);
        var live = JsonObject.EMPTY;
        for (var i = 0; i < 3; i++) {
            live = forced(live, random.object(), "m").object();
        }
        var emptied = forced(live, JsonObject.EMPTY, "m").object();
        assertThat(
                        TypedFields.fields(emptied, PatchTestTypes.KIND)
                                .difference(FieldSet.of("metadata")))
                .isEqualTo(FieldSet.EMPTY);
        assertThat(ManagedFields.of(emptied)).isEqualTo(ManagedFields.NONE);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyFieldHasAnOwner(long seed) {
        var random = new RandomPatchValues(seed);
        var live = withHistory(random);
        var owned =
                ManagedFields.of(live).entries().stream()
                        .map(ManagedFields.Entry::fields)
                        .reduce(FieldSet.EMPTY, FieldSet::union);
        var there = TypedFields.fields(ManagedFields.NONE.in(live), PatchTestTypes.KIND);
        // A container that others emptied has no owner.
        assertThat(there.difference(owned).paths()).allMatch(path -> isEmptyOrNull(live, path));
    }

    private static boolean isEmptyOrNull(Json value, List<PathStep> path) {
        var here = value;
        for (var step : path) {
            if (!(step instanceof PathStep.Named(var name))
                    || !(here instanceof JsonObject object)) {
                return false;
            }
            here = object.member(name).orElse(JsonNull.INSTANCE);
        }
        return ApplyTypes.isEmptyOrNull(here);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fieldSetsRoundTripAndObeySetAlgebra(long seed) {
        var random = new RandomPatchValues(seed);
        var a = random.fields(4);
        var b = random.fields(4);
        assertThat(FieldSet.parse(a.toJson())).contains(a);
        assertThat(a.union(b)).isEqualTo(b.union(a));
        assertThat(a.intersection(b)).isEqualTo(b.intersection(a));
        assertThat(a.difference(b).union(a.intersection(b))).isEqualTo(a);
        assertThat(a.difference(b).intersection(b)).isEqualTo(FieldSet.EMPTY);
        assertThat(a.without(a)).isEqualTo(FieldSet.EMPTY);
        assertThat(a.paths()).allMatch(a.union(b)::contains).noneMatch(b.difference(a)::contains);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void mergePatchOfADifferenceReproducesIt(long seed) {
        var random = new RandomPatchValues(seed);
        var from = TypedFields.withoutNulls(random.object(), PatchTestTypes.KIND);
        var to = TypedFields.withoutNulls(random.object(), PatchTestTypes.KIND);
        if (hasNull(to)) {
            // A merge patch cannot express nulls.
            return;
        }
        assertThat(MergePatch.apply(from, difference(from, to))).isEqualTo(new PatchedObject(to));
        // Without directives and mergeable lists, both kinds of patches agree.
        assertThat(StrategicMergePatch.apply(from, difference(from, to), PatchTestTypes.PORT))
                .isEqualTo(new PatchedObject(to));
    }

    private static boolean hasNull(Json value) {
        return switch (value) {
            case JsonNull _ -> true;
            case JsonObject object ->
                    object.members().values().stream().anyMatch(RandomPatchesTest::hasNull)
                            || object.names().stream().anyMatch(name -> name.startsWith("$"));
            case JsonArray(var items) -> items.stream().anyMatch(RandomPatchesTest::hasNull);
            default -> false;
        };
    }

    private static JsonObject difference(JsonObject from, JsonObject to) {
        var members = new LinkedHashMap<String, Json>();
        from.names().stream()
                .filter(name -> !to.members().containsKey(name))
                .forEach(name -> members.put(name, JsonNull.INSTANCE));
        to.members()
                .forEach((name, value) -> {
                    var old = from.members().get(name);
                    if (old instanceof JsonObject a && value instanceof JsonObject b) {
                        members.put(name, difference(a, b));
                    } else if (!value.equals(old)) {
                        members.put(name, value);
                    }
                });
        return new JsonObject(members);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void jsonPatchAgreesWithReferenceImplementation(long seed) {
        var random = new RandomPatchValues(seed);
        var object = JsonObject.of("a", random.anything(3)).with("b", random.anything(3));
        var operations = new ArrayList<Json>();
        for (var i = 1 + random.below(4); i > 0; i--) {
            operations.add(operation(random));
        }
        var expected = ReferenceJsonPatch.apply(object, operations);
        var result = JsonPatch.apply(object, Json.array(operations));
        if (expected.isPresent() && expected.get() instanceof JsonObject after) {
            assertThat(result).isEqualTo(new PatchedObject(after));
        } else {
            assertThat(result).isInstanceOf(PatchRejection.class);
        }
    }

    private static JsonObject operation(RandomPatchValues random) {
        var kinds = List.of("add", "remove", "replace", "move", "copy", "test");
        return JsonObject.of("op", Json.of(kinds.get(random.below(kinds.size()))))
                .with("path", Json.of(pointer(random)))
                .with("from", Json.of(pointer(random)))
                .with("value", random.anything(1));
    }

    private static String pointer(RandomPatchValues random) {
        var text = new StringBuilder("/").append(random.coin() ? "a" : "b");
        for (var i = random.below(3); i > 0; i--) {
            text.append('/');
            text.append(
                    random.coin() ? random.name() : List.of("0", "1", "-").get(random.below(3)));
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void randomPatchesDoNotThrow(long seed) {
        var random = new RandomPatchValues(seed);
        for (var i = 0; i < 20; i++) {
            var object =
                    random.anything(5) instanceof JsonObject o && random.coin()
                            ? o
                            : withHistory(random);
            hostile(object, random.anything(5));
            hostile(object, Json.array(List.of(operation(random), random.anything(3))));
        }
    }

    @Test
    void deepTreesDoNotThrow() {
        Json deep = Json.of(1);
        for (var i = 0; i < 100_000; i++) {
            deep = i % 2 == 0 ? JsonObject.of("a", deep) : Json.array(deep);
        }
        hostile(JsonObject.EMPTY, deep);
        hostile(JsonObject.of("spec", deep), JsonObject.EMPTY);
        hostile(JsonObject.EMPTY, JsonObject.of("spec", deep));
        hostile(JsonObject.EMPTY, Json.array(deep));
        var fields = JsonObject.of("metadata", JsonObject.of("managedFields", Json.array(deep)));
        assertThat(ManagedFields.of(fields)).isEqualTo(ManagedFields.NONE);
        assertThat(FieldSet.parse(JsonObject.of("f:a", deep))).isEmpty();
    }

    private static void hostile(JsonObject object, Json patch) {
        assertThatCode(
                        () -> {
                            JsonPatch.apply(object, patch);
                            MergePatch.apply(object, patch);
                            StrategicMergePatch.apply(object, patch, PatchTestTypes.KIND);
                            APPLY.apply(object, patch, writer("m"), true);
                            APPLY.apply(object, patch, writer("kubectl"), false);
                            if (patch instanceof JsonObject other) {
                                var managed =
                                        ManagedFields.forUpdate(
                                                object, () -> ManagedFields.of(object), other, "");
                                APPLY.onUpdate(object, other, managed, writer("m"));
                                APPLY.apply(other, object, writer("m"), true);
                                FieldSet.parse(other);
                            }
                        })
                .doesNotThrowAnyException();
    }

    /// JSON patch by the letter of RFC 6902, simple and slow.
    private static final class ReferenceJsonPatch {

        private ReferenceJsonPatch() {}

        static Optional<Json> apply(Json document, List<Json> operations) {
            var result = Optional.of(document);
            for (var operation : operations) {
                result = result.flatMap(value -> one(value, (JsonObject) operation));
            }
            return result;
        }

        private static Optional<Json> one(Json document, JsonObject operation) {
            var path = steps(operation.text("path"));
            var from = steps(operation.text("from"));
            var value = operation.member("value").orElse(JsonNull.INSTANCE);
            return switch (operation.text("op")) {
                case "add" -> edit(document, path, Optional.of(value), true);
                case "remove" -> edit(document, path, Optional.empty(), false);
                case "replace" -> edit(document, path, Optional.of(value), false);
                case "move" ->
                        find(document, from)
                                .flatMap(moved ->
                                        edit(document, from, Optional.empty(), false)
                                                .flatMap(rest ->
                                                        edit(
                                                                rest,
                                                                path,
                                                                Optional.of(moved),
                                                                true)));
                case "copy" ->
                        find(document, from)
                                .flatMap(found -> edit(document, path, Optional.of(found), true));
                default -> test(document, path, value);
            };
        }

        private static Optional<Json> test(Json document, List<String> path, Json value) {
            var found = find(document, path);
            var absent =
                    found.isEmpty()
                            && value instanceof JsonNull
                            && find(document, path.subList(0, path.size() - 1))
                                    .filter(JsonObject.class::isInstance)
                                    .isPresent();
            return absent || found.equals(Optional.of(value))
                    ? Optional.of(document)
                    : Optional.empty();
        }

        private static List<String> steps(String pointer) {
            return List.of(pointer.substring(1).split("/"));
        }

        private static Optional<Json> find(Json value, List<String> path) {
            if (path.isEmpty()) {
                return Optional.of(value);
            }
            return child(value, path.getFirst())
                    .flatMap(child -> find(child, path.subList(1, path.size())));
        }

        private static Optional<Json> child(Json value, String step) {
            return switch (value) {
                case JsonObject object -> Optional.ofNullable(object.members().get(step));
                case JsonArray(var items) when step.matches("\\d") ->
                        items.stream().skip(Integer.parseInt(step)).findFirst();
                default -> Optional.empty();
            };
        }

        private static Optional<Json> edit(
                Json value, List<String> path, Optional<Json> now, boolean insert) {
            var step = path.getFirst();
            if (path.size() > 1) {
                return child(value, step)
                        .flatMap(child -> edit(child, path.subList(1, path.size()), now, insert))
                        .flatMap(changed -> set(value, step, Optional.of(changed), false));
            }
            return set(value, step, now, insert);
        }

        private static Optional<Json> set(
                Json value, String step, Optional<Json> now, boolean insert) {
            if (value instanceof JsonObject object) {
                var there = object.members().containsKey(step);
                return there || now.isPresent()
                        ? Optional.of(
                                now.map(it -> object.with(step, it))
                                        .orElseGet(() -> object.without(step)))
                        : Optional.empty();
            }
            if (!(value instanceof JsonArray(var items))) {
                return Optional.empty();
            }
            var at = step.equals("-") && insert ? items.size() : number(step);
            if (at < 0 || at > items.size() || (at == items.size() && !insert)) {
                return Optional.empty();
            }
            var changed = new ArrayList<>(items.subList(0, at));
            now.ifPresent(changed::add);
            changed.addAll(items.subList(insert ? at : at + 1, items.size()));
            return Optional.of(Json.array(changed));
        }

        private static int number(String step) {
            return step.matches("\\d") ? Integer.parseInt(step) : -1;
        }
    }
}
