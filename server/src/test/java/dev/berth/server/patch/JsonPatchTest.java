package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonPatchTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1} | [] | {'a':1}",
                "{'a':1} | [{'op':'add','path':'/b','value':2}] | {'a':1,'b':2}",
                "{'a':1} | [{'op':'add','path':'/a','value':{'x':[]}}] | {'a':{'x':[]}}",
                "{'a':[1,3]} | [{'op':'add','path':'/a/1','value':2}] | {'a':[1,2,3]}",
                "{'a':[1]} | [{'op':'add','path':'/a/-','value':2}] | {'a':[1,2]}",
                "{'a':[1]} | [{'op':'add','path':'/a/1','value':2}] | {'a':[1,2]}",
                "{'a/b':1} | [{'op':'remove','path':'/a~1b'}] | {}",
                "{'a~b':1} | [{'op':'remove','path':'/a~0b'}] | {}",
                "{'~1':1} | [{'op':'replace','path':'/~01','value':2}] | {'~1':2}",
                "{'':1} | [{'op':'remove','path':'/'}] | {}",
                "{'a':[1,2]} | [{'op':'remove','path':'/a/0'}] | {'a':[2]}",
                "{'a':1} | [{'op':'replace','path':'/a','value':[2]}] | {'a':[2]}",
                "{'a':{}} | [{'op':'replace','path':'/a/b','value':2}] | {'a':{'b':2}}",
                "{'a':1} | [{'op':'replace','path':'','value':{'b':2}}] | {'b':2}",
                "{'a':1} | [{'op':'move','from':'/a','path':'/b'}] | {'b':1}",
                "{'a':[1,2,3]} | [{'op':'move','from':'/a/0','path':'/a/2'}] | {'a':[2,3,1]}",
                "{'a':{'x':1}} | [{'op':'copy','from':'/a','path':'/b'},"
                        + "{'op':'add','path':'/b/y','value':2}]"
                        + " | {'a':{'x':1},'b':{'x':1,'y':2}}",
                "{'a':{'x':[1]}} | [{'op':'test','path':'/a','value':{'x':[1]}}] | {'a':{'x':[1]}}",
                "{'a':1} | [{'op':'test','path':'/b','value':null}] | {'a':1}",
                "{'a':1} | [{'op':'test','path':'','value':{'a':1}}] | {'a':1}",
                "{'a':1} | [{'op':'add','path':'/b'}] | {'a':1,'b':null}",
            })
    void operationsFollowTheStandard(String before, String patch, String after) {
        assertThat(JsonPatch.apply(PatchTestTypes.object(before), PatchTestTypes.json(patch)))
                .isEqualTo(new PatchedObject(PatchTestTypes.object(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{'op':'remove','path':'/b'}]",
                "[{'op':'remove','path':'/list/2'}]",
                "[{'op':'remove','path':'/list/-'}]",
                "[{'op':'replace','path':'/b/c','value':1}]",
                "[{'op':'replace','path':'/list/2','value':1}]",
                "[{'op':'replace','path':'','value':1}]",
                "[{'op':'replace','path':'','value':[]}]",
                "[{'op':'add','path':'','value':{}}]",
                "[{'op':'add','path':'/b/c','value':1}]",
                "[{'op':'add','path':'/a/c','value':1}]",
                "[{'op':'add','path':'/list/3','value':1}]",
                "[{'op':'add','path':'/list/-1','value':1}]",
                "[{'op':'add','path':'/list/x','value':1}]",
                "[{'op':'add','path':'a','value':1}]",
                "[{'op':'add','value':1}]",
                "[{'op':'move','path':'/b'}]",
                "[{'op':'move','from':'/list','path':'/list/x'}]",
                "[{'op':'copy','from':'/b','path':'/c'}]",
                "[{'op':'test','path':'/a','value':2}]",
                "[{'op':'test','path':'/a','value':1.0}]",
                "[{'op':'test','path':'/list','value':[1]}]",
                "[{'op':'test','path':'/b/c','value':null}]",
                "[{'op':'add','path':'/a','value':2},{'op':'test','path':'/a','value':1}]",
                "[{'op':'spin','path':'/a'}]",
                "[{'path':'/a'}]",
            })
    void operationsOnMissingPathsAreUnprocessable(String patch) {
        var result =
                JsonPatch.apply(
                        PatchTestTypes.object("{'a':1,'list':[1,2]}"), PatchTestTypes.json(patch));
        assertThat(result).isInstanceOf(PatchRejection.class);
        var rejected = (PatchRejection) result;
        assertThat(rejected.code()).isEqualTo(422);
        assertThat(rejected.reason()).isEqualTo("Invalid");
        assertThat(rejected.message())
                .isEqualTo("the server rejected our request due to an error in our request");
        assertThat(rejected.why()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{}", "'x'", "[1]", "[{'op':1}]", "[{'op':'add','path':{}}]"})
    void malformedPatchesAreBadRequests(String patch) {
        assertThat(JsonPatch.apply(JsonObject.EMPTY, PatchTestTypes.json(patch)))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(400));
    }

    @Test
    void tooManyOperationsAreRefused() {
        var operation = PatchTestTypes.json("{'op':'test','path':'/a','value':null}");
        var operations = new ArrayList<Json>();
        for (var i = 0; i < 10_000; i++) {
            operations.add(operation);
        }
        assertThat(JsonPatch.apply(JsonObject.EMPTY, Json.array(operations)))
                .isInstanceOf(PatchedObject.class);
        operations.add(operation);
        assertThat(JsonPatch.apply(JsonObject.EMPTY, Json.array(operations)))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> {
                            assertThat(rejected.code()).isEqualTo(413);
                            assertThat(rejected.message())
                                    .isEqualTo(
                                            "Request entity too large: The allowed maximum"
                                                    + " operations in a JSON patch is 10000,"
                                                    + " got 10001");
                        });
    }

    @Test
    void copiesThatDoubleTheObjectStopAtTheLimit() {
        var operations = new ArrayList<Json>();
        for (var i = 0; i < 40; i++) {
            operations.add(PatchTestTypes.json("{'op':'copy','from':'/a','path':'/a/-'}"));
        }
        assertThat(JsonPatch.apply(PatchTestTypes.object("{'a':['x']}"), Json.array(operations)))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> assertThat(rejected.why()).contains("exceeding the limit"));
    }

    @Test
    void movesThatNestTooDeeplyAreRejected() {
        var operations = new ArrayList<Json>();
        for (var i = 0; i < 3000; i++) {
            operations.add(PatchTestTypes.json("{'op':'add','path':'/b','value':{}}"));
            operations.add(PatchTestTypes.json("{'op':'move','from':'/a','path':'/b/a'}"));
            operations.add(PatchTestTypes.json("{'op':'move','from':'/b','path':'/a'}"));
        }
        assertThat(JsonPatch.apply(PatchTestTypes.object("{'a':{}}"), Json.array(operations)))
                .isInstanceOf(PatchRejection.class);
    }
}
