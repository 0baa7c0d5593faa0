package dev.berth.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.codec.token.ValueInterner;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CodecTest {

    private final Codec codec = new Codec();

    @Test
    void strictReadingNamesUnknownFieldsAsKubernetesDoes() {
        var problems =
                problems(
                        Kinds.RESOURCE_SLICE,
                        """
                        {"spec": {"foo": 1, "Driver": "a", "devices": [{"name": "a"},
                          {"bar": {}, "attributes": {"model": {"baz": 2, "int": 1}}}]}}
                        """);
        assertThat(problems)
                .containsExactly(
                        "unknown field \"spec.foo\"",
                        "unknown field \"spec.Driver\"",
                        "unknown field \"spec.devices[1].bar\"",
                        "unknown field \"spec.devices[1].attributes.model.baz\"");
    }

    @Test
    void strictReadingNamesDuplicateFields() {
        var problems =
                problems(
                        Kinds.RESOURCE_SLICE,
                        """
                        {"metadata": {"labels": {"a": "1", "a": "2"}},
                         "spec": {"driver": "a", "driver": "b"}}
                        """);
        assertThat(problems)
                .containsExactly(
                        "duplicate field \"metadata.labels.a\"", "duplicate field \"spec.driver\"");
    }

    @Test
    void lenientReadingKeepsTheLastDuplicateAndWarns() {
        var json = "{\"spec\": {\"driver\": \"a\", \"driver\": \"b\", \"new\": {\"x\": []}}}";
        var read =
                codec.readJson(Kinds.RESOURCE_SLICE, "v1", bytes(json), UnknownFieldPolicy.LENIENT);
        assertThat(read).isInstanceOf(Decoded.Read.class);
        var slice = (Decoded.Read<ResourceSlice>) read;
        assertThat(slice.object().spec().driver()).isEqualTo("b");
        assertThat(slice.unknownFields()).containsExactly("spec.new");
        assertThat(slice.warnings()).hasSize(2);
    }

    @Test
    void allValuesOfAWrongTypeAreReportedWithTheirPath() {
        var problems =
                problems(
                        Kinds.RESOURCE_SLICE,
                        """
                        {"spec": {"driver": 1, "allNodes": "yes", "devices": {},
                          "pool": {"name": [1], "generation": "abc", "resourceSliceCount": 1.5}}}
                        """);
        assertThat(problems)
                .containsExactly(
                        "spec.driver: expected string, found number 1",
                        "spec.allNodes: expected bool, found string \"yes\"",
                        "spec.devices: expected array, found object",
                        "spec.pool.name: expected string, found array",
                        "spec.pool.generation: expected int64, found string \"abc\"",
                        "spec.pool.resourceSliceCount: 1.5 is not an int64");
    }

    @Test
    void numbersThatDoNotFitAreRefused() {
        assertThat(
                        problems(
                                Kinds.RESOURCE_POOL_STATUS_REQUEST,
                                "{\"spec\":{\"limit\":3000000000}}"))
                .containsExactly("spec.limit: 3000000000 is not an int32");
        assertThat(problems(Kinds.DEVICE_CLASS, "{\"metadata\":{\"generation\":1e3}}"))
                .containsExactly("metadata.generation: 1e3 is not an int64");
    }

    @Test
    void badQuantitiesAndTimesAreRefused() {
        var problems =
                problems(
                        Kinds.RESOURCE_SLICE,
                        """
                        {"metadata": {"creationTimestamp": "2026-02-30T00:00:00Z"},
                         "spec": {"devices": [{"capacity": {"m": {"value": "1Zi"}}}]}}
                        """);
        assertThat(problems)
                .containsExactly(
                        "metadata.creationTimestamp: \"2026-02-30T00:00:00Z\" is not a time like"
                                + " 2026-01-31T12:00:00Z",
                        "spec.devices[0].capacity.m.value: \"1Zi\" is not a quantity: quantities"
                                + " must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    @Test
    void lenientReadingRefusesWrongTypesToo() {
        var read =
                codec.readJson(
                        Kinds.DEVICE_CLASS,
                        "v1",
                        bytes("{\"spec\": 1}"),
                        UnknownFieldPolicy.LENIENT);
        assertThat(read).isInstanceOf(Decoded.Refused.class);
    }

    @Test
    void nullIsAbsentAndInsideAListItIsEmpty() {
        var slice =
                read(
                        Kinds.RESOURCE_SLICE,
                        "{\"spec\": {\"driver\": null, \"nodeName\": null, \"devices\": [null]}}");
        assertThat(slice.spec().driver()).isEmpty();
        assertThat(slice.spec().scope()).isEqualTo(new SliceScope.Unrecognised(JsonObject.EMPTY));
        assertThat(slice.spec().devices()).hasSize(1);
    }

    @Test
    void timesAreReadInAnyZoneAndWrittenInUtcWithSeconds() {
        var taint =
                read(
                        Kinds.DEVICE_TAINT_RULE,
                        "{\"spec\":{\"taint\":{\"timeAdded\":\"2026-01-01T01:30:00.75+01:00\"}}}");
        assertThat(taint.spec().taint().timeAdded())
                .contains(Instant.parse("2026-01-01T00:30:00Z"));
        assertThat(text(Kinds.DEVICE_TAINT_RULE, taint))
                .contains("\"timeAdded\":\"2026-01-01T00:30:00Z\"");
    }

    @Test
    void quantitiesMayBeBareNumbersAndAreWrittenCanonically() {
        var slice =
                read(
                        Kinds.RESOURCE_SLICE,
                        """
                        {"spec": {"sharedCounters": [{"name": "s",
                          "counters": {"a": {"value": 1.5}, "b": {"value": " 2048Mi "}}}]}}
                        """);
        assertThat(text(Kinds.RESOURCE_SLICE, slice))
                .contains("\"counters\":{\"a\":{\"value\":\"1500m\"},\"b\":{\"value\":\"2Gi\"}}");
    }

    @Test
    void emptyPartsAreWrittenOnlyWhereKubernetesWritesThem() {
        assertThat(text(Kinds.RESOURCE_CLAIM, read(Kinds.RESOURCE_CLAIM, "{}")))
                .isEqualTo(
                        "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\","
                                + "\"metadata\":{},\"spec\":{\"devices\":{}},\"status\":{}}");
        assertThat(text(Kinds.RESOURCE_SLICE, read(Kinds.RESOURCE_SLICE, "{}")))
                .isEqualTo(
                        "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\","
                                + "\"metadata\":{},\"spec\":{\"driver\":\"\","
                                + "\"pool\":{\"name\":\"\","
                                + "\"generation\":0,\"resourceSliceCount\":0}}}");
    }

    @Test
    void aScopeOfANewerServerIsKeptAndWrittenBack() {
        var json = "{\"spec\":{\"nodeGroup\":{\"name\":\"g\"},\"devices\":[{\"name\":\"a\"}]}}";
        var slice =
                codec.readJson(Kinds.RESOURCE_SLICE, "v1", bytes(json), UnknownFieldPolicy.LENIENT)
                        .orThrow();
        var group = JsonObject.of("nodeGroup", JsonObject.of("name", Json.of("g")));
        assertThat(slice.spec().scope()).isEqualTo(new SliceScope.Unrecognised(group));
        assertThat(slice.spec().devices().getFirst().scope()).isEqualTo(new DeviceScope.AsSlice());
        assertThat(text(Kinds.RESOURCE_SLICE, slice)).contains("\"nodeGroup\":{\"name\":\"g\"}");
    }

    @Test
    void contradictingScopesAreUnrecognised() {
        assertThat(scope("\"allNodes\": true")).isEqualTo(new NodeScope.AllNodes());
        assertThat(scope("\"allNodes\": false")).isInstanceOf(SliceScope.Unrecognised.class);
        assertThat(scope("\"allNodes\": true, \"nodeName\": \"a\""))
                .isInstanceOf(SliceScope.Unrecognised.class);
    }

    private SliceScope scope(String fields) {
        return read(Kinds.RESOURCE_SLICE, "{\"spec\": {" + fields + "}}").spec().scope();
    }

    @Test
    void unrecognisedPartsOfAClaimAreKept() {
        var json =
                """
                {"spec": {"devices": {
                  "requests": [
                    {"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "Most",
                      "selectors": [{"regex": "x"}]}},
                    {"name": "b", "exactly": {"deviceClassName": "c"},
                      "firstAvailable": [{"name": "d", "deviceClassName": "c"}]},
                    {"name": "e", "anyOf": [1]}],
                  "constraints": [{"requests": ["a"], "near": "numa"}]}}}
                """;
        var claim =
                codec.readJson(Kinds.RESOURCE_CLAIM, "v1", bytes(json), UnknownFieldPolicy.LENIENT)
                        .orThrow();
        var requests = claim.spec().requests();
        var exactly = (DeviceRequest.Exactly) requests.get(0);
        assertThat(exactly.demand().count()).isEqualTo(new AllocationCount.Unrecognised("Most", 0));
        assertThat(exactly.demand().selectors())
                .containsExactly(
                        new DeviceSelector.Unrecognised(JsonObject.of("regex", Json.of("x"))));
        assertThat(requests.get(1)).isInstanceOf(DeviceRequest.Unrecognised.class);
        assertThat(requests.get(2))
                .isEqualTo(
                        new DeviceRequest.Unrecognised(
                                "e", JsonObject.of("anyOf", Json.array(Json.of(1)))));
        assertThat(claim.spec().constraints())
                .containsExactly(
                        new DeviceConstraint.Unrecognised(
                                List.of("a"), JsonObject.of("near", Json.of("numa"))));
        assertThat(text(Kinds.RESOURCE_CLAIM, claim))
                .contains("\"regex\":\"x\"", "\"anyOf\":[1]", "\"near\":\"numa\"");
    }

    @Test
    void anUnknownEffectIsKept() {
        var rule = read(Kinds.DEVICE_TAINT_RULE, "{\"spec\":{\"taint\":{\"effect\":\"NoSleep\"}}}");
        assertThat(rule.spec().taint().effect()).isEqualTo(new TaintEffect.Unrecognised("NoSleep"));
    }

    @Test
    void repeatedStringsAreInterned() {
        var first = read(Kinds.RESOURCE_SLICE, "{\"spec\": {\"driver\": \"gpu.example.com\"}}");
        var second = read(Kinds.RESOURCE_SLICE, "{\"spec\": {\"driver\": \"gpu.example.com\"}}");
        assertThat(first.spec().driver()).isSameAs(second.spec().driver());
    }

    @Test
    void theInternerIsBounded() {
        var interner = new ValueInterner(4);
        var kept = interner.word("word");
        assertThat(interner.word("xwordx".toCharArray(), 1, 4)).isSameAs(kept);
        for (var i = 0; i < 100; i++) {
            interner.word("other" + i);
        }
        assertThat(interner.word("xwordx".toCharArray(), 1, 4)).isEqualTo("word").isNotSameAs(kept);
    }

    @Test
    void listsAreDecodedItemByItem() {
        var json =
                """
                {"kind": "DeviceClassList", "apiVersion": "resource.k8s.io/v1beta1", "items": [
                  {"metadata": {"name": "a"}}, {"metadata": {"name": 1}},
                  {"metadata": {"name": "c"}}],
                 "metadata": {"resourceVersion": "7", "continue": "more", "remainingItemCount": 5}}
                """;
        var items = new ArrayList<Decoded<DeviceClass>>();
        var head =
                codec.readList(
                        Kinds.DEVICE_CLASS,
                        "v1beta1",
                        new ByteArrayInputStream(bytes(json)),
                        UnknownFieldPolicy.STRICT,
                        items::add);
        assertThat(head.orThrow().resourceVersion()).isEqualTo("7");
        assertThat(head.orThrow().continueToken()).isEqualTo("more");
        assertThat(head.orThrow().remainingItemCount()).hasValue(5);
        assertThat(items)
                .extracting(item -> item.value().map(one -> one.metadata().name()))
                .containsExactly(Optional.of("a"), Optional.empty(), Optional.of("c"));
    }

    @Test
    void watchEventsAreTyped() {
        assertThat(event("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}"))
                .isEqualTo(new WatchEvent.Added<>(classNamed("a")));
        assertThat(event("{\"object\":{\"metadata\":{\"name\":\"a\"}},\"type\":\"DELETED\"}"))
                .isEqualTo(new WatchEvent.Deleted<>(classNamed("a")));
        assertThat(
                        event(
                                "{\"type\":\"BOOKMARK\",\"object\":"
                                        + "{\"metadata\":{\"resourceVersion\":\"9\"}}}"))
                .isEqualTo(new WatchEvent.Bookmark<>("9"));
        assertThat(event("{\"type\":\"ERROR\",\"object\":{\"code\":410}}"))
                .isEqualTo(new WatchEvent.Other<>("ERROR", JsonObject.of("code", Json.of(410))));
    }

    private WatchEvent<DeviceClass> event(String json) {
        return codec.readEvent(Kinds.DEVICE_CLASS, "v1", bytes(json), UnknownFieldPolicy.STRICT)
                .orThrow();
    }

    private static DeviceClass classNamed(String name) {
        return new DeviceClass(
                ObjectMeta.of(name), new DeviceClassSpec(List.of(), List.of(), Optional.empty()));
    }

    @Test
    void malformedJsonIsReportedWithItsPosition() {
        assertThat(problems(Kinds.DEVICE_CLASS, "{\"spec\":\n{]"))
                .singleElement()
                .asString()
                .startsWith("line 2, column ");
        assertThat(problems(Kinds.DEVICE_CLASS, "{\"spec\": {}")).hasSize(1);
        assertThat(problems(Kinds.DEVICE_CLASS, ""))
                .containsExactly("line 1, column 1: the text is empty; expected a JSON object");
        assertThat(problems(Kinds.DEVICE_CLASS, "{} {}"))
                .containsExactly("line 1, column 4: unexpected text behind the JSON object");
    }

    @Test
    void aVersionThatTheKindDoesNotHaveIsRefused() {
        var read =
                codec.readJson(
                        Kinds.DEVICE_TAINT_RULE,
                        "v1beta1",
                        bytes("{}"),
                        UnknownFieldPolicy.LENIENT);
        assertThat(read)
                .isEqualTo(
                        new Decoded.Refused<>(
                                List.of(
                                        new DecodingProblem.WrongKind(
                                                "DeviceTaintRule in one of the versions"
                                                        + " [v1, v1beta2, v1alpha3]",
                                                "version \"v1beta1\""))));
    }

    @Test
    void invalidUtf32IsMalformedTextNotAnIoError() {
        var bytes = new byte[] {'{', 0, 0, 0, '"', 0, 0, 0, 0, 0, (byte) 0xff, 0x21};
        var decoded = codec.readJson(Kinds.NODE, "v1", bytes, UnknownFieldPolicy.LENIENT);
        assertThat(decoded).isInstanceOf(Decoded.Refused.class);
    }

    @Test
    void unmappedPodFieldsAreNotReported() {
        var pod =
                read(
                        Kinds.POD,
                        """
                        {"spec": {"dnsPolicy": "Default", "schedulingGates": [{"name": "g"}],
                          "containers": [{"name": "c", "command": ["x"],
                            "resources": {"requests": {"cpu": 1}}}],
                          "schedulingGroup": {"podGroupName": "group"}}}
                        """);
        assertThat(pod.spec().containers().getFirst().resources().requests().get("cpu"))
                .hasToString("1");
        assertThat(pod.spec().schedulingGates()).containsExactly("g");
        assertThat(pod.spec().podGroupName()).contains("group");
    }

    private <T extends KubernetesObject> T read(Kind<T> kind, String json) {
        return codec.readJson(kind, kind.version(), bytes(json), UnknownFieldPolicy.STRICT)
                .orThrow();
    }

    private <T extends KubernetesObject> List<String> problems(Kind<T> kind, String json) {
        return switch (codec.readJson(
                kind, kind.version(), bytes(json), UnknownFieldPolicy.STRICT)) {
            case Decoded.Read<T> _ -> List.of();
            case Decoded.Refused<T>(var problems) ->
                    problems.stream().map(DecodingProblem::message).toList();
        };
    }

    private <T extends KubernetesObject> String text(Kind<T> kind, T object) {
        return new String(codec.toJson(kind, object), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
