package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.ManagedFields.Entry;
import dev.berth.server.patch.ServerSideApply.Writer;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManagedFieldsTest {

    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final ServerSideApply MAIN =
            new ServerSideApply(PatchTestTypes.KIND, FieldSet.of("status"));
    private static final ServerSideApply STATUS =
            new ServerSideApply(PatchTestTypes.KIND, FieldSet.of("metadata", "spec"));

    private static Writer writer(String manager, long seconds) {
        return new Writer(manager, "v1", "", NOON.plusSeconds(seconds));
    }

    @Test
    void creatorOwnsAllFieldsExceptServerSetOnes() {
        var object =
                PatchTestTypes.object(
                        "{'apiVersion':'v1','kind':'Kind','metadata':{'name':'x','uid':'1',"
                                + "'labels':{'a':'1'}},'spec':{'replicas':1,"
                                + "'strategy':{'rolling':{'max':1}},'extra':{}},"
                                + "'status':{'ready':1}}");
        var managed = MAIN.onUpdate(JsonObject.EMPTY, object, ManagedFields.NONE, writer("u", 0));
        assertThat(managed.toJson())
                .isEqualTo(
                        PatchTestTypes.json(
                                "[{'manager':'u','operation':'Update','apiVersion':'v1',"
                                        + "'time':'2026-11-16T12:00:00Z','fieldsType':'FieldsV1',"
                                        + "'fieldsV1':{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},"
                                        + "'f:spec':{'f:extra':{},'f:replicas':{},'f:strategy':"
                                        + "{'.':{},'f:rolling':{'.':{},'f:max':{}}}}}}]"));
        assertThat(ManagedFields.of(managed.in(object))).isEqualTo(managed);
    }

    @Test
    void writerOwnsChangedFields() {
        var old = PatchTestTypes.object("{'spec':{'replicas':1,'paused':true,'args':['x']}}");
        var first = MAIN.onUpdate(JsonObject.EMPTY, old, ManagedFields.NONE, writer("u", 0));
        var now = PatchTestTypes.object("{'spec':{'replicas':2,'paused':true}}");
        var second = MAIN.onUpdate(old, now, first, writer("w", 9));
        assertThat(second.entries())
                .containsExactly(
                        first.entries().getFirst().owning(FieldSet.of("spec.paused")),
                        new Entry(
                                "w",
                                ManagedFields.Operation.UPDATE,
                                "v1",
                                "",
                                Optional.of(NOON.plusSeconds(9)),
                                FieldSet.of("spec.replicas")));
    }

    @Test
    void unchangedWriteKeepsTimes() {
        var object = PatchTestTypes.object("{'spec':{'replicas':1}}");
        var first = MAIN.onUpdate(JsonObject.EMPTY, object, ManagedFields.NONE, writer("u", 0));
        assertThat(MAIN.onUpdate(object, object, first, writer("u", 9))).isEqualTo(first);
        var reordered = PatchTestTypes.object("{'spec':{'replicas':1.0}}");
        assertThat(MAIN.onUpdate(object, reordered, first, writer("v", 9))).isEqualTo(first);
    }

    @Test
    void resetFieldsAreNotOwned() {
        var old = PatchTestTypes.object("{'metadata':{'uid':'1'},'spec':{'replicas':1}}");
        var first = MAIN.onUpdate(JsonObject.EMPTY, old, ManagedFields.NONE, writer("u", 0));
        var now = PatchTestTypes.object("{'metadata':{'uid':'1'},'status':{'ready':1}}");
        var writer = new Writer("k", "v1", "status", NOON);
        var second = STATUS.onUpdate(old, now, first, writer);
        assertThat(second.entries()).extracting(Entry::manager).containsExactly("k", "u");
        assertThat(second.entries().getFirst().subresource()).isEqualTo("status");
        assertThat(second.entries().getFirst().fields()).isEqualTo(FieldSet.of("status.ready"));
        assertThat(second.entries().getLast()).isEqualTo(first.entries().getFirst());
    }

    @Test
    void oldestUpdatersAreMergedBeyondTen() {
        var object = JsonObject.EMPTY;
        var managed = ManagedFields.NONE;
        for (var i = 0; i < 15; i++) {
            var labels = new StringBuilder("'l0':'0'");
            for (var j = 1; j <= i; j++) {
                labels.append(",'l%d':'%d'".formatted(j, j));
            }
            var next = PatchTestTypes.object("{'metadata':{'labels':{" + labels + "}}}");
            managed = MAIN.onUpdate(object, next, managed, writer("m" + i, i));
            object = next;
        }
        assertThat(managed.entries()).hasSize(10);
        var bucket = managed.entries().getFirst();
        assertThat(bucket.manager()).isEqualTo("ancient-changes");
        assertThat(bucket.fields().paths()).hasSize(7);
        assertThat(bucket.time()).contains(NOON.plusSeconds(5));
        assertThat(managed.entries()).extracting(Entry::manager).contains("m6", "m14");
    }

    @Test
    void clientCanResetButNotOmitManagedFields() {
        var live =
                MAIN.onUpdate(
                                JsonObject.EMPTY,
                                PatchTestTypes.object("{'spec':{'replicas':1}}"),
                                ManagedFields.NONE,
                                writer("u", 0))
                        .in(PatchTestTypes.object("{'spec':{'replicas':1}}"));
        var owners = ManagedFields.of(live);
        assertThat(ManagedFields.forUpdate(live, () -> owners, PatchTestTypes.object("{}"), ""))
                .isEqualTo(owners);
        var broken = PatchTestTypes.object("{'metadata':{'managedFields':[{'manager':'x'}]}}");
        assertThat(ManagedFields.forUpdate(live, () -> owners, broken, "")).isEqualTo(owners);
        var reset = PatchTestTypes.object("{'metadata':{'managedFields':[]}}");
        assertThat(ManagedFields.forUpdate(live, () -> owners, reset, ""))
                .isEqualTo(ManagedFields.NONE);
        assertThat(ManagedFields.forUpdate(live, () -> owners, reset, "status")).isEqualTo(owners);
        var emptied = PatchTestTypes.object("{'metadata':{'managedFields':[{}]}}");
        assertThat(ManagedFields.forUpdate(live, () -> owners, emptied, ""))
                .isEqualTo(ManagedFields.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1]",
                "[{}]",
                "[{'manager':'a','operation':'X','apiVersion':'v1','fieldsType':'FieldsV1'}]",
                "[{'manager':'a','operation':'Apply','fieldsType':'FieldsV1'}]",
                "[{'manager':'a','operation':'Apply','apiVersion':'v1'}]",
                "[{'manager':'a','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV1',"
                        + "'time':'noon'}]",
                "[{'manager':'a','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV1',"
                        + "'fieldsV1':{'x':{}}}]",
            })
    void malformedManagedFieldsAreIgnored(String entries) {
        var object = PatchTestTypes.object("{'metadata':{'managedFields':" + entries + "}}");
        assertThat(ManagedFields.of(object)).isEqualTo(ManagedFields.NONE);
    }
}
