package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MergePatchTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':'b'} | {'a':'c'} | {'a':'c'}",
                "{'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}",
                "{'a':'b'} | {'a':null} | {}",
                "{'a':'b','b':'c'} | {'a':null} | {'b':'c'}",
                "{'a':['b']} | {'a':'c'} | {'a':'c'}",
                "{'a':'c'} | {'a':['b']} | {'a':['b']}",
                "{'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}",
                "{'e':null} | {'a':1} | {'e':null,'a':1}",
                "{} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
                "{'a':[1]} | {'a':[null]} | {'a':[null]}",
            })
    void examplesOfTheRfcHold(String before, String patch, String after) {
        assertThat(MergePatch.apply(PatchTestTypes.object(before), PatchTestTypes.json(patch)))
                .isEqualTo(new PatchedObject(PatchTestTypes.object(after)));
    }

    @Test
    void anythingButAnObjectIsABadRequest() {
        assertThat(MergePatch.apply(JsonObject.EMPTY, PatchTestTypes.json("[]")))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(400));
    }
}
