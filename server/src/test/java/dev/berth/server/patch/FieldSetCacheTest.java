package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonWriter;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The display name of a failure is its seed.
final class FieldSetCacheTest {

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static FieldSet set(String fields) {
        return FieldSet.parse(Shapes.object(fields)).orElseThrow();
    }

    @Test
    void whatWasMetBeforeIsTheSameObject() {
        var known = new FieldSetCache();
        var fields = "{'f:a':{'.':{},'k:{\\'n\\':1}':{}},'f:b':{'f:c':{}}}";
        var first = known.known(set(fields));
        assertThat(known.known(set(fields))).isSameAs(first);
        assertThat(known.known(set(fields)).toJson()).isSameAs(first.toJson());
        assertThat(FieldSetCache.NONE.known(set(fields))).isNotSameAs(first).isEqualTo(first);
    }

    @Test
    void partsAreKnownToo() {
        var known = new FieldSetCache();
        var one = known.known(set("{'f:a':{'k:{\\'uid\\':\\'1\\'}':{}},'f:b':{'f:c':{}}}"));
        var other = known.known(set("{'f:a':{'k:{\\'uid\\':\\'2\\'}':{}},'f:b':{'f:c':{}}}"));
        var name = new PathStep.Named("b");
        assertThat(other.below(name)).isSameAs(one.below(name));
        assertThat(other).isNotEqualTo(one);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsKnownIsWrittenAsItWouldBe(long seed) {
        var random = new RandomShapes(seed);
        var known = new FieldSetCache();
        for (var i = 0; i < 5_000; i++) {
            var set = random.fields(1 + random.below(4));
            var plain = JsonWriter.compact(set.toJson());
            var same = known.known(set);
            assertThat(same).isEqualTo(set);
            assertThat(JsonWriter.compact(same.toJson())).isEqualTo(plain);
            assertThat(JsonWriter.pretty(same.toJson())).isEqualTo(JsonWriter.pretty(set.toJson()));
        }
    }

    @Test
    void equalKeysThatAreWrittenDifferentlyStayAsTheyAre() {
        var known = new FieldSetCache();
        var one = set("{'v:{\\'a\\':1,\\'b\\':2}':{}}");
        var other = set("{'v:{\\'b\\':2,\\'a\\':1}':{}}");
        assertThat(other).isEqualTo(one);
        known.known(one);
        assertThat(JsonWriter.compact(known.known(other).toJson()))
                .isEqualTo("{\"v:{\\\"b\\\":2,\\\"a\\\":1}\":{}}");
    }

    @Test
    void whatIsVeryLongIsNotKept() {
        var known = new FieldSetCache();
        var fields = "{'f:" + "x".repeat(10_000) + "':{'f:a':{}}}";
        var first = known.known(set(fields));
        assertThat(known.known(set(fields))).isNotSameAs(first).isEqualTo(first);
    }
}
