package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StrategicMergePatchTest {

    private static PatchResult containers(String before, String patch) {
        return StrategicMergePatch.apply(
                PatchTestTypes.object("{'containers':" + before + "}"),
                PatchTestTypes.json(patch),
                PatchTestTypes.struct(
                        "Spec",
                        PatchTestTypes.field(
                                "containers",
                                PatchTestTypes.byKey("name", PatchTestTypes.CONTAINER))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Items are merged by key; new ones go before the live ones, since the order of the
                // patch has priority.
                "[{'name':'a','image':'1'},{'name':'b'}]"
                        + "| {'containers':[{'name':'b','image':'2'}]}"
                        + "| [{'name':'a','image':'1'},{'name':'b','image':'2'}]",
                "[{'name':'a'}] | {'containers':[{'name':'b'}]} | [{'name':'b'},{'name':'a'}]",
                "[{'name':'a'},{'name':'b'}] | {'containers':[{'name':'b'},{'name':'a'}]}"
                        + "| [{'name':'b'},{'name':'a'}]",
                "[{'name':'a'},{'name':'b'}] | {'containers':[{'name':'a','$patch':'delete'}]}"
                        + "| [{'name':'b'}]",
                "[{'name':'a'},{'name':'b'}]"
                        + "| {'containers':[{'name':'c'},{'$patch':'replace'}]} | [{'name':'c'}]",
                "[{'name':'a','image':'1'}]"
                        + "| {'containers':[{'name':'a','image':null,'args':['x']}]}"
                        + "| [{'name':'a','args':['x']}]",
                "[{'name':'a','ports':[{'containerPort':1,'name':'x'}]}]"
                        + "| {'containers':[{'name':'a','ports':[{'containerPort':1,"
                        + "'protocol':'UDP'}]}]}"
                        + "| [{'name':'a','ports':[{'containerPort':1,'name':'x',"
                        + "'protocol':'UDP'}]}]",
                "[{'name':'a'},{'name':'b'},{'name':'c'}]"
                        + "| {'$setElementOrder/containers':[{'name':'c'},{'name':'a'}]}"
                        + "| [{'name':'b'},{'name':'c'},{'name':'a'}]",
                "[{'name':'a'},{'name':'b'}]"
                        + "| {'$setElementOrder/containers':[{'name':'b'},{'name':'c'},"
                        + "{'name':'a'}],'containers':[{'name':'c'}]}"
                        + "| [{'name':'b'},{'name':'c'},{'name':'a'}]",
                "[{'name':'a'}] | {'containers':[{'name':'n','args':null,"
                        + "'env':[{'$patch':'delete','name':'x'}]}]}"
                        + "| [{'name':'n','env':[]},{'name':'a'}]",
                "[{'name':'a','image':'1'}] | {'containers':[{'name':'a','$patch':'delete'},"
                        + "{'name':'a','image':'2'}]} | [{'name':'a','image':'2'}]",
            })
    void listsAreMergedByKey(String before, String patch, String after) {
        assertThat(containers(before, patch))
                .isEqualTo(
                        new PatchedObject(PatchTestTypes.object("{'containers':" + after + "}")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'finalizers':['a']} | {'finalizers':['b']} | {'finalizers':['b','a']}",
                "{'finalizers':['a','b']} | {'finalizers':['b','a']} | {'finalizers':['b','a']}",
                "{'finalizers':['a','b']} | {'$deleteFromPrimitiveList/finalizers':['a']}"
                        + "| {'finalizers':['b']}",
                "{'finalizers':['a','b']} | {'$deleteFromPrimitiveList/finalizers':['a'],"
                        + "'$setElementOrder/finalizers':['c','b'],'finalizers':['c']}"
                        + "| {'finalizers':['c','b']}",
                "{} | {'$deleteFromPrimitiveList/finalizers':['a']} | {}",
                "{'labels':{'a':'1','b':'2'}} | {'labels':{'a':null,'c':'3'}}"
                        + "| {'labels':{'b':'2','c':'3'}}",
                "{'labels':{'a':'1'}} | {'labels':{'$patch':'replace','c':'3'}}"
                        + "| {'labels':{'c':'3'}}",
                "{'labels':{'a':'1'}} | {'labels':{'$patch':'delete'}} | {'labels':{}}",
                "{'labels':{'a':'1'}} | {'labels':null} | {}",
                "{'labels':{'a':'1','b':'1'}} | {'labels':{'$retainKeys':['a','c'],'c':'2'}}"
                        + "| {'labels':{'a':'1','c':'2'}}",
                "{'unknown':[{'name':'a'}]} | {'unknown':[{'name':'b'}]}"
                        + "| {'unknown':[{'name':'b'}]}",
                "{'unknown':{'x':{'y':1}}} | {'unknown':{'x':{'z':2}}}"
                        + "| {'unknown':{'x':{'y':1,'z':2}}}",
                "{} | {'labels':{'$patch':'delete'}} | {}",
                "{'name':'x'} | {'name':{'a':null,'b':1}} | {'name':{'b':1}}",
                "{} | {'labels':{'a':null,'b':'1'}} | {'labels':{'b':'1'}}",
                "{} | {'finalizers':null} | {}",
            })
    void otherValuesFollowTheirType(String before, String patch, String after) {
        assertThat(
                        StrategicMergePatch.apply(
                                PatchTestTypes.object(before),
                                PatchTestTypes.json(patch),
                                PatchTestTypes.META))
                .isEqualTo(new PatchedObject(PatchTestTypes.object(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'containers':[{'image':'x'}]}"
                        + "| map: map[image:x] does not contain declared merge key: name",
                "{'containers':[{'$patch':'delete'}]}"
                        + "| map: map[$patch:delete] does not contain declared merge key: name",
                "{'containers':[{'name':'a','$patch':'merge'}]}"
                        + "| merging lists cannot yet be specified in the patch",
                "{'containers':[{'name':'a','$patch':'x'}]}"
                        + "| unknown patch type: x in map: map[$patch:x name:a]",
                "{'$patch':'x'} | unknown patch type: x in map: map[$patch:x]",
                "{'$retainKeys':['a'],'b':1} | invalid patch format of retainKeys",
                "{'$retainKeys':'a'} | invalid patch format of retainKeys",
                "{'$setElementOrder':[]} | invalid patch format of setElementOrder list",
                "{'$deleteFromPrimitiveList':[]} | invalid patch format of primitive list",
                "{'containers':['x']} | list element types are not identical: [[map[name:a]] [x]]",
            })
    void errorsEqualThoseOfKubernetes(String patch, String message) {
        assertThat(containers("[{'name':'a'}]", patch))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> {
                            assertThat(rejected.code()).isEqualTo(400);
                            assertThat(rejected.message()).isEqualTo(message);
                        });
    }

    @Test
    void listsOfListsAreUnprocessable() {
        assertThat(containers("[{'name':'a'}]", "{'containers':[[]]}"))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(422));
    }

    @Test
    void orderThatContradictsThePatchIsRejected() {
        assertThat(
                        containers(
                                "[{'name':'a'}]",
                                "{'$setElementOrder/containers':[{'name':'x'},{'name':'y'}],"
                                        + "'containers':[{'name':'y'},{'name':'x'}]}"))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> assertThat(rejected.message()).startsWith("The order in"));
    }

    @Test
    void anythingButAnObjectIsABadRequest() {
        assertThat(
                        StrategicMergePatch.apply(
                                JsonObject.EMPTY, PatchTestTypes.json("1"), PatchTestTypes.KIND))
                .isInstanceOf(PatchRejection.class);
    }
}
