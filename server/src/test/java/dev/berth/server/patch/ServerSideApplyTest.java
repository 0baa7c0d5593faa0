package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.patch.ApplyResult.Conflicts;
import dev.berth.server.patch.ApplyResult.Merged;
import dev.berth.server.patch.ServerSideApply.Writer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerSideApplyTest {

    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final ServerSideApply APPLY =
            new ServerSideApply(PatchTestTypes.KIND, FieldSet.of("status"));

    private static Writer writer(String manager) {
        return new Writer(manager, "v1", "", NOON);
    }

    private static Merged applied(JsonObject live, String manager, String config) {
        var applied = APPLY.apply(live, PatchTestTypes.json(config), writer(manager), false);
        assertThat(applied).isInstanceOf(Merged.class);
        return (Merged) applied;
    }

    private static JsonObject spec(JsonObject object) {
        return object.objectOrEmpty("spec");
    }

    /// The fields of a manager, as text.
    private static String owned(JsonObject object, String manager) {
        return ManagedFields.of(object).entries().stream()
                .filter(entry -> entry.manager().equals(manager))
                .map(entry -> JsonWriter.compact(entry.fields().toJson()).replace('"', '\''))
                .findFirst()
                .orElse("");
    }

    private static JsonObject created(String manager, String object) {
        var written = PatchTestTypes.object(object);
        return APPLY.onUpdate(JsonObject.EMPTY, written, ManagedFields.NONE, writer(manager))
                .in(written);
    }

    private static JsonObject updated(JsonObject live, String manager, String object) {
        var written = PatchTestTypes.object(object);
        return APPLY.onUpdate(live, written, ManagedFields.of(live), writer(manager)).in(written);
    }

    @Test
    void firstApplyOwnsItsFields() {
        var merged =
                applied(
                        JsonObject.EMPTY,
                        "a",
                        "{'apiVersion':'v1','kind':'Kind','metadata':{'name':'x',"
                                + "'labels':{'l':'1'}},"
                                + "'spec':{'replicas':1,'selector':{'matchLabels':{'l':'1'}},"
                                + "'containers':[{'name':'c','image':'i','ports':"
                                + "[{'containerPort':80}]}]},'status':{'ready':1}}");
        assertThat(merged.changed()).isTrue();
        assertThat(owned(merged.object(), "a"))
                .isEqualTo(
                        "{'f:metadata':{'f:labels':{'f:l':{}}},'f:spec':{'f:containers':"
                                + "{'k:{\\'name\\':\\'c\\'}':{'.':{},'f:image':{},'f:name':{},"
                                + "'f:ports':{'k:{\\'containerPort\\':80,"
                                + "\\'protocol\\':\\'TCP\\'}':"
                                + "{'.':{},'f:containerPort':{}}}}},'f:replicas':{},"
                                + "'f:selector':{}}}");
    }

    @Test
    void applyingTheSameAgainChangesNothing() {
        var config = "{'spec':{'replicas':1,'containers':[{'name':'c'}]}}";
        var first = applied(JsonObject.EMPTY, "a", config);
        var later = new Writer("a", "v1", "", NOON.plusSeconds(60));
        var second = APPLY.apply(first.object(), PatchTestTypes.json(config), later, false);
        assertThat(second).isEqualTo(new Merged(first.object(), false));
    }

    @Test
    void fieldNoLongerAppliedIsRemoved() {
        var first =
                applied(
                        JsonObject.EMPTY,
                        "a",
                        "{'metadata':{'labels':{'x':'1','y':'2'}},'spec':{'replicas':1,"
                                + "'strategy':{'rolling':{'max':1}},"
                                + "'containers':[{'name':'c','image':'i'},{'name':'d'}]}}");
        var second =
                applied(
                        first.object(),
                        "a",
                        "{'metadata':{'labels':{'y':'2'}},"
                                + "'spec':{'containers':[{'name':'c'}]}}");
        assertThat(spec(second.object()))
                .isEqualTo(PatchTestTypes.object("{'containers':[{'name':'c'}]}"));
        assertThat(second.object().objectOrEmpty("metadata").objectOrEmpty("labels"))
                .isEqualTo(PatchTestTypes.object("{'y':'2'}"));
    }

    @Test
    void fieldWithAnotherOwnerStays() {
        var first = applied(JsonObject.EMPTY, "a", "{'spec':{'replicas':1,'paused':true}}");
        var second = applied(first.object(), "b", "{'spec':{'replicas':1}}");
        assertThat(second.changed()).isTrue();
        var third = applied(second.object(), "a", "{'spec':{'paused':true}}");
        assertThat(spec(third.object()))
                .isEqualTo(PatchTestTypes.object("{'replicas':1,'paused':true}"));
        assertThat(owned(third.object(), "b")).isEqualTo("{'f:spec':{'f:replicas':{}}}");
        var fourth = applied(third.object(), "b", "{}");
        assertThat(spec(fourth.object())).isEqualTo(PatchTestTypes.object("{'paused':true}"));
        assertThat(owned(fourth.object(), "b")).isEmpty();
    }

    @Test
    void unappliedFieldsStayInTheirContainer() {
        var live = applied(JsonObject.EMPTY, "a", "{'spec':{'strategy':{'type':'x'}}}").object();
        var changed = updated(live, "u", "{'spec':{'strategy':{'type':'x','rolling':{'max':1}}}}");
        var after = applied(changed, "a", "{'spec':{'replicas':1}}");
        assertThat(spec(after.object()))
                .isEqualTo(
                        PatchTestTypes.object("{'strategy':{'rolling':{'max':1}},'replicas':1}"));
    }

    @Test
    void singleConflictIsReportedInOneLine() {
        var live = created("u", "{'spec':{'replicas':1}}");
        var result =
                APPLY.apply(
                        live, PatchTestTypes.json("{'spec':{'replicas':2}}"), writer("a"), false);
        assertThat(result).isInstanceOf(Conflicts.class);
        var rejected = ((Conflicts) result).rejected();
        assertThat(rejected.code()).isEqualTo(409);
        assertThat(rejected.reason()).isEqualTo("Conflict");
        assertThat(rejected.message())
                .isEqualTo(
                        "Apply failed with 1 conflict: conflict with \"u\" using v1:"
                                + " .spec.replicas");
        assertThat(rejected.causes())
                .containsExactly(
                        new PatchRejection.Cause(
                                "FieldManagerConflict",
                                "conflict with \"u\" using v1",
                                ".spec.replicas"));
    }

    @Test
    void conflictsAreGroupedByManager() {
        var live = created("u", "{'spec':{'replicas':1,'containers':[{'name':'c','image':'1'}]}}");
        var both =
                applied(live, "b", "{'spec':{'containers':[{'name':'c','image':'1'}]}}").object();
        var result =
                APPLY.apply(
                        both,
                        PatchTestTypes.json(
                                "{'spec':{'replicas':2,'containers':[{'name':'c','image':'2'}]}}"),
                        writer("a"),
                        false);
        assertThat(((Conflicts) result).rejected().message())
                .isEqualTo(
                        """
                        Apply failed with 3 conflicts: conflicts with "b":
                        - .spec.containers[name="c"].image
                        conflicts with "u" using v1:
                        - .spec.replicas
                        - .spec.containers[name="c"].image\
                        """);
    }

    @Test
    void forceTakesTheFieldFromItsOwner() {
        var live = created("u", "{'spec':{'replicas':1,'paused':true}}");
        var result =
                (Merged)
                        APPLY.apply(
                                live,
                                PatchTestTypes.json("{'spec':{'replicas':2}}"),
                                writer("a"),
                                true);
        assertThat(spec(result.object()))
                .isEqualTo(PatchTestTypes.object("{'replicas':2,'paused':true}"));
        assertThat(owned(result.object(), "a")).isEqualTo("{'f:spec':{'f:replicas':{}}}");
        assertThat(owned(result.object(), "u")).isEqualTo("{'f:spec':{'f:paused':{}}}");
    }

    @Test
    void atomicValuesHaveOneOwner() {
        var live = applied(JsonObject.EMPTY, "a", "{'spec':{'args':['x'],'options':{'k':'1'}}}");
        var result =
                APPLY.apply(
                        live.object(),
                        PatchTestTypes.json("{'spec':{'args':['x','y'],'options':{'l':'1'}}}"),
                        writer("b"),
                        false);
        assertThat(((Conflicts) result).all())
                .extracting(ApplyResult.Conflict::field)
                .containsExactly(".spec.args", ".spec.options");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,b   | c     | a,b,c",
                "a,b,x | c,b   | a,c,b,x",
                "b,a   | a,b   | a,b",
                "b,x,a | a,b   | x,a,b",
                "b,a,x | a,b   | a,x,b",
                "b,x,a | n,a,b | x,n,a,b",
                "a,b,c | c,a   | b,c,a",
                "'a,b' | 'n,a' | 'n,a,b'",
            })
    void itemsAreInTheOrderOfTheConfiguration(String live, String config, String merged) {
        var object = created("u", "{'spec':{'containers':" + containers(live) + "}}");
        var result = applied(object, "a", "{'spec':{'containers':" + containers(config) + "}}");
        assertThat(spec(result.object()))
                .isEqualTo(PatchTestTypes.object("{'containers':" + containers(merged) + "}"));
    }

    private static String containers(String names) {
        return "[{'name':'" + names.replace("'", "").strip().replace(",", "'},{'name':'") + "'}]";
    }

    @Test
    void liveItemsWithDuplicateKeysAreAccepted() {
        var live =
                created(
                        "u",
                        "{'spec':{'containers':[{'name':'c','image':'1'},{'name':'c'},"
                                + "{'name':'d'}]}}");
        var other = applied(live, "a", "{'spec':{'containers':[{'name':'e'}]}}").object();
        assertThat(spec(other).items("containers")).hasSize(4);
        var result =
                APPLY.apply(
                        other,
                        PatchTestTypes.json("{'spec':{'containers':[{'name':'c','image':'2'}]}}"),
                        writer("a"),
                        true);
        assertThat(spec(((Merged) result).object()).items("containers"))
                .containsExactlyInAnyOrder(
                        PatchTestTypes.json("{'name':'c','image':'2'}"),
                        PatchTestTypes.json("{'name':'d'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'spec':{'containers':[{'name':'a'},{'name':'a'}]}}"
                        + "| .spec.containers: duplicate entries for key [name=`a`]",
                "{'spec':{'containers':[{'image':'a'}]}}"
                        + "| .spec.containers: element 0: associative list with keys has an element"
                        + " that omits all key fields [`name`] (and doesn't have default values"
                        + " for any key fields)",
                "{'metadata':{'finalizers':['a','a']}}"
                        + "| .metadata.finalizers: duplicate entries for key [=`a`]",
                "{'spec':{'foo':1}} | .spec.foo: field not declared in schema",
                "{'spec':{'replicas':'1'}}"
                        + "| .spec.replicas: expected numeric (int or float), got `1`",
                "{'spec':[]} | .spec: expected map, got []",
                "{'spec':{'args':1}} | .spec.args: expected list, got 1",
            })
    void configurationOfTheWrongTypeIsRejected(String config, String problem) {
        var result = APPLY.apply(JsonObject.EMPTY, PatchTestTypes.json(config), writer("a"), false);
        assertThat(result)
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected -> {
                            assertThat(rejected.code()).isEqualTo(500);
                            assertThat(rejected.message().replace('"', '`')).endsWith(problem);
                        });
    }

    @Test
    void managedFieldsCannotBeApplied() {
        var config = PatchTestTypes.json("{'metadata':{'managedFields':[{}]}}");
        assertThat(APPLY.apply(JsonObject.EMPTY, config, writer("a"), false))
                .isInstanceOfSatisfying(
                        PatchRejection.class,
                        rejected ->
                                assertThat(rejected.message())
                                        .isEqualTo("metadata.managedFields must be nil"));
    }

    @Test
    void untrackedObjectIsOwnedByBeforeFirstApply() {
        var live =
                PatchTestTypes.object("{'metadata':{'name':'x','uid':'1'},'spec':{'replicas':1}}");
        var merged = applied(live, "a", "{'spec':{'paused':true}}");
        assertThat(owned(merged.object(), "before-first-apply"))
                .isEqualTo("{'f:spec':{'f:replicas':{}}}");
        assertThat(updated(live, "u", "{'spec':{'replicas':2}}"))
                .isEqualTo(PatchTestTypes.object("{'spec':{'replicas':2}}"));
    }

    @Test
    void kubectlTakesOverClientSideAppliedFields() {
        var last = "{\\'spec\\':{\\'replicas\\':1,\\'paused\\':true}}";
        var live =
                created(
                        "kubectl-client-side-apply",
                        "{'metadata':{'annotations':{'kubectl.kubernetes.io/"
                                + "last-applied-configuration':'"
                                + last
                                + "'}},'spec':{'replicas':1,'paused':false}}");
        var merged = applied(live, "kubectl", "{'spec':{'replicas':2}}");
        assertThat(spec(merged.object()).number("replicas")).hasValue(2);
        assertThat(
                        merged.object()
                                .objectOrEmpty("metadata")
                                .objectOrEmpty("annotations")
                                .text("kubectl.kubernetes.io/last-applied-configuration"))
                .isEqualTo("{\"spec\":{\"replicas\":2}}\n");
        assertThat(
                        APPLY.apply(
                                live,
                                PatchTestTypes.json("{'spec':{'paused':true}}"),
                                writer("kubectl"),
                                false))
                .isInstanceOf(Conflicts.class);
    }

    @Test
    void nullUnsetsAField() {
        var live = applied(JsonObject.EMPTY, "a", "{'spec':{'replicas':1,'paused':true}}");
        var merged = applied(live.object(), "a", "{'spec':{'replicas':null,'paused':true}}");
        assertThat(spec(merged.object())).isEqualTo(PatchTestTypes.object("{'paused':true}"));
    }
}
