package dev.berth.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import org.junit.jupiter.api.Test;

class ApiVersionsTest {

    private final Codec codec = new Codec();

    @Test
    void v1beta1DevicesAreBasic() {
        var old =
                tree(
                        """
                        apiVersion: resource.k8s.io/v1beta1
                        kind: ResourceSlice
                        spec:
                          nodeName: ""
                          allNodes: true
                          devices:
                          - {name: a, basic: {attributes: {model: {string: x}}}}
                          - {name: b}
                        """);
        var internal =
                tree(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        spec:
                          allNodes: true
                          devices:
                          - {name: a, attributes: {model: {string: x}}}
                          - {name: b}
                        """);
        assertThat(ApiVersions.toInternal(Kinds.RESOURCE_SLICE, "v1beta1", old))
                .isEqualTo(internal);
        assertThat(
                        ApiVersions.fromInternal(Kinds.RESOURCE_SLICE, "v1beta1", internal)
                                .objectOrEmpty("spec")
                                .objects("devices")
                                .get(1))
                .isEqualTo(tree("{name: b, basic: {}}"));
    }

    @Test
    void v1beta1RequestsAreFlat() {
        var exact = request("{name: a, deviceClassName: c, count: 2, adminAccess: false}");
        assertThat(exact)
                .isEqualTo(
                        tree(
                                "{name: a, exactly:"
                                        + " {deviceClassName: c, count: 2, adminAccess: false}}"));
        assertThat(request("{name: a, firstAvailable: [{name: b}], count: 0}"))
                .isEqualTo(tree("{name: a, firstAvailable: [{name: b}]}"));
        assertThat(request("{name: a, firstAvailable: [{name: b}], count: 1}"))
                .isEqualTo(tree("{name: a, exactly: {count: 1}, firstAvailable: [{name: b}]}"));
        assertThat(request("{name: a}")).isEqualTo(tree("{name: a}"));
    }

    private static JsonObject request(String yaml) {
        var claim = tree("{spec: {devices: {requests: [" + yaml + "]}}}");
        return ApiVersions.toInternal(Kinds.RESOURCE_CLAIM, "v1beta1", claim)
                .objectOrEmpty("spec")
                .objectOrEmpty("devices")
                .objects("requests")
                .getFirst();
    }

    @Test
    void fieldsOfAnotherVersionAreUnknown() {
        var slice = tree("{spec: {devices: [{name: a, attributes: {}}]}}");
        assertThat(codec.problems(Kinds.RESOURCE_SLICE, "v1beta1", slice))
                .extracting(DecodingProblem::message)
                .containsExactly("unknown field \"spec.devices[0].attributes\"");
        var claim = tree("{spec: {devices: {requests: [{name: a, exactly: {}}]}}}");
        assertThat(codec.problems(Kinds.RESOURCE_CLAIM, "v1beta1", claim))
                .extracting(DecodingProblem::message)
                .containsExactly("unknown field \"spec.devices.requests[0].exactly\"");
        var template = tree("{spec: {spec: {devices: {requests: [{name: a, count: 1}]}}}}");
        assertThat(codec.problems(Kinds.RESOURCE_CLAIM_TEMPLATE, "v1", template))
                .extracting(DecodingProblem::message)
                .containsExactly("unknown field \"spec.spec.devices.requests[0].count\"");
    }

    @Test
    void problemsOfV1beta1HaveThePathsOfItsObjects() {
        var slice =
                tree(
                        """
                        spec:
                          devices:
                          - {name: 1, basic: {name: a, odd: 1, bindsToNode: 2}}
                          - {name: a, basic: 3}
                        """);
        assertThat(codec.problems(Kinds.RESOURCE_SLICE, "v1beta1", slice))
                .extracting(DecodingProblem::message)
                .containsExactly(
                        "unknown field \"spec.devices[0].basic.name\"",
                        "spec.devices[1].basic: expected object, found number",
                        "spec.devices[0].name: expected string, found number 1",
                        "unknown field \"spec.devices[0].basic.odd\"",
                        "spec.devices[0].basic.bindsToNode: expected bool, found number 2");
        var claim = tree("{spec: {devices: {requests: [{name: a, count: x, odd: 1}]}}}");
        assertThat(codec.problems(Kinds.RESOURCE_CLAIM, "v1beta1", claim))
                .extracting(DecodingProblem::message)
                .containsExactlyInAnyOrder(
                        "spec.devices.requests[0].count: expected int64, found string \"x\"",
                        "unknown field \"spec.devices.requests[0].odd\"");
    }

    @Test
    void listsAreConvertedItemByItem() {
        var list =
                tree(
                        """
                        apiVersion: resource.k8s.io/v1beta1
                        kind: ResourceSliceList
                        metadata: {resourceVersion: "3"}
                        items: [{spec: {devices: [{name: a, basic: {bindsToNode: true}}]}}]
                        """);
        assertThat(ApiVersions.convertList(Kinds.RESOURCE_SLICE, "v1beta1", "v1beta2", list))
                .isEqualTo(
                        tree(
                                """
                                apiVersion: resource.k8s.io/v1beta2
                                kind: ResourceSliceList
                                metadata: {resourceVersion: "3"}
                                items:
                                - apiVersion: resource.k8s.io/v1beta2
                                  kind: ResourceSlice
                                  spec: {devices: [{name: a, bindsToNode: true}]}
                                """));
    }

    @Test
    void kindsAreFoundByApiVersionAndByPath() {
        assertThat(Kinds.byApiVersionAndKind("resource.k8s.io/v1beta1", "ResourceClaim"))
                .contains(Kinds.RESOURCE_CLAIM);
        assertThat(Kinds.byApiVersionAndKind("v1", "Pod")).contains(Kinds.POD);
        assertThat(Kinds.byApiVersionAndKind("v1", "ResourceClaim")).isEmpty();
        assertThat(Kinds.byAddress("resource.k8s.io", "v1alpha3", "devicetaintrules"))
                .contains(Kinds.DEVICE_TAINT_RULE);
        assertThat(Kinds.byAddress("resource.k8s.io", "v1alpha3", "resourceslices")).isEmpty();
    }

    private static JsonObject tree(String yaml) {
        return switch (YamlReader.read(yaml)) {
            case ParseResult.Documents(var documents) -> (JsonObject) documents.getFirst().root();
            case ParseResult.Malformed malformed -> throw new AssertionError(malformed);
        };
    }
}
