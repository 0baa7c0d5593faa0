package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldSetTest {

    private static FieldSet set(String fields) {
        return FieldSet.parse(PatchTestTypes.object(fields)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'f:a':{}}",
                "{'f:a':{'.':{},'f:b':{}},'f:c':{'f:d':{}}}",
                "{'f:a':{'f:b':{},'k:{\\'n\\':1}':{},'v:2':{},'v:\\'x\\'':{},'v:true':{},"
                        + "'i:0':{}}}",
                "{'f:a':{'k:{\\'name\\':\\'a\\',\\'port\\':80}':{'.':{},'f:name':{}}}}",
                "{'f:':{},'f:f:':{}}",
            })
    void parsingAndSerializingRoundTrips(String fields) {
        assertThat(set(fields).toJson()).isEqualTo(PatchTestTypes.object(fields));
        assertThat(JsonWriter.compact(set(fields).toJson()))
                .isEqualTo(JsonWriter.compact(PatchTestTypes.object(fields)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'f:b':{},'f:a':{}} | {'f:a':{},'f:b':{}}",
                "{'i:2':{},'v:1':{},'k:{}':{},'f:z':{}} | {'f:z':{},'k:{}':{},'v:1':{},'i:2':{}}",
                "{'v:10':{},'v:9':{},'v:\\'a\\'':{}} | {'v:9':{},'v:10':{},'v:\\'a\\'':{}}",
                "{'f:a':{'f:b':{},'.':{}}} | {'f:a':{'.':{},'f:b':{}}}",
                "{'k:{\\'b\\':1.0,\\'a\\':\\'x\\'}':{}} | {'k:{\\'a\\':\\'x\\',\\'b\\':1}':{}}",
                "{'x:future':{'f:a':{}},'f:a':{'.':{}}} | {'f:a':{}}",
            })
    void theOrderIsThatOfKubernetes(String fields, String printed) {
        assertThat(JsonWriter.compact(set(fields).toJson()))
                .isEqualTo(JsonWriter.compact(PatchTestTypes.object(printed)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'f':{}}",
                "{'':{}}",
                "{'f-a':{}}",
                "{'k:x':{}}",
                "{'k:[]':{}}",
                "{'v:':{}}",
                "{'i:x':{}}",
                "{'f:a':1}",
                "{'f:a':{'f:b':null}}",
            })
    void malformedFieldSetsAreRejected(String fields) {
        assertThat(FieldSet.parse(PatchTestTypes.object(fields))).isEmpty();
    }

    @Test
    void unionHasMembersOfEither() {
        assertThat(set("{'f:a':{'f:b':{}}}").union(set("{'f:a':{},'f:c':{}}")))
                .isEqualTo(set("{'f:a':{'.':{},'f:b':{}},'f:c':{}}"));
    }

    @Test
    void intersectionHasMembersOfBoth() {
        assertThat(
                        set("{'f:a':{'.':{},'f:b':{}},'f:c':{}}")
                                .intersection(set("{'f:a':{'f:b':{},'f:x':{}},'f:c':{'f:d':{}}}")))
                .isEqualTo(set("{'f:a':{'f:b':{}}}"));
    }

    @Test
    void differenceKeepsFieldsBelow() {
        assertThat(set("{'f:a':{'.':{},'f:b':{}},'f:c':{}}").difference(set("{'f:a':{}}")))
                .isEqualTo(set("{'f:a':{'f:b':{}},'f:c':{}}"));
    }

    @Test
    void withoutRemovesFieldsBelow() {
        assertThat(
                        set("{'f:a':{'f:b':{}},'f:c':{'f:d':{},'f:e':{}}}")
                                .without(FieldSet.of("a", "c.d")))
                .isEqualTo(set("{'f:c':{'f:e':{}}}"));
    }

    @Test
    void pathsPrintAsInConflicts() {
        var set = set("{'f:a':{'.':{},'k:{\\'n\\':\\'x\\',\\'p\\':8}':{'f:b':{}},'v:\\'y\\'':{}}}");
        assertThat(set.toString()).isEqualTo(".a\n.a[=\"y\"]\n.a[n=\"x\",p=8].b");
        assertThat(set.paths()).allMatch(set::contains);
    }
}
