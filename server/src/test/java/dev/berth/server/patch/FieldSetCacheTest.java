package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonWriter;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Interning of field sets. The display name of a failure is its seed.
final class FieldSetCacheTest {

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static FieldSet set(String fields) {
        return FieldSet.parse(PatchTestTypes.object(fields)).orElseThrow();
    }

    @Test
    void equalSetsAreInterned() {
        var cache = new FieldSetCache();
        var fields = "{'f:a':{'.':{},'k:{\\'n\\':1}':{}},'f:b':{'f:c':{}}}";
        var first = cache.intern(set(fields));
        assertThat(cache.intern(set(fields))).isSameAs(first);
        assertThat(cache.intern(set(fields)).toJson()).isSameAs(first.toJson());
        assertThat(FieldSetCache.NONE.intern(set(fields))).isNotSameAs(first).isEqualTo(first);
    }

    @Test
    void subtreesAreInterned() {
        var cache = new FieldSetCache();
        var one = cache.intern(set("{'f:a':{'k:{\\'uid\\':\\'1\\'}':{}},'f:b':{'f:c':{}}}"));
        var other = cache.intern(set("{'f:a':{'k:{\\'uid\\':\\'2\\'}':{}},'f:b':{'f:c':{}}}"));
        var name = new PathStep.Named("b");
        assertThat(other.below(name)).isSameAs(one.below(name));
        assertThat(other).isNotEqualTo(one);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void internedSetsSerializeUnchanged(long seed) {
        var random = new RandomPatchValues(seed);
        var cache = new FieldSetCache();
        for (var i = 0; i < 5_000; i++) {
            var set = random.fields(1 + random.below(4));
            var plain = JsonWriter.compact(set.toJson());
            var same = cache.intern(set);
            assertThat(same).isEqualTo(set);
            assertThat(JsonWriter.compact(same.toJson())).isEqualTo(plain);
            assertThat(JsonWriter.pretty(same.toJson())).isEqualTo(JsonWriter.pretty(set.toJson()));
        }
    }

    @Test
    void equalKeysWithDifferentTextAreNotInterned() {
        var cache = new FieldSetCache();
        var one = set("{'v:{\\'a\\':1,\\'b\\':2}':{}}");
        var other = set("{'v:{\\'b\\':2,\\'a\\':1}':{}}");
        assertThat(other).isEqualTo(one);
        cache.intern(one);
        assertThat(JsonWriter.compact(cache.intern(other).toJson()))
                .isEqualTo("{\"v:{\\\"b\\\":2,\\\"a\\\":1}\":{}}");
    }

    @Test
    void longSetsAreNotInterned() {
        var cache = new FieldSetCache();
        var fields = "{'f:" + "x".repeat(10_000) + "':{'f:a':{}}}";
        var first = cache.intern(set(fields));
        assertThat(cache.intern(set(fields))).isNotSameAs(first).isEqualTo(first);
    }
}
