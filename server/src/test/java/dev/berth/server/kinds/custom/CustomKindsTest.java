package dev.berth.server.kinds.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.KindsFixture;
import dev.berth.server.kinds.column.JsonPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomKindsTest {

    private static final String DEFINITION =
            """
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: widgets, kind: Widget, shortNames: [wi], categories: [all]}
              versions:
              - name: v1alpha1
                served: true
                storage: false
                schema: {openAPIV3Schema: {type: object}}
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object}}
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
                additionalPrinterColumns:
                - {name: Size, type: integer, jsonPath: .spec.size}
                - name: Ready
                  type: string
                  jsonPath: '.status.conditions[?(@.type=="Ready")].status'
                - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
                selectableFields: [{jsonPath: .spec.color}]
            """;
    private static final String CRDS = "apiextensions.k8s.io/customresourcedefinitions";

    private final KindsFixture fixture = new KindsFixture();

    private JsonObject definition() {
        var admitted = fixture.create(CRDS, KindsFixture.yaml(DEFINITION));
        assertThat(admitted.problems()).isEmpty();
        return admitted.object();
    }

    @Test
    void aDefinitionIsServedAtOnce() {
        var status = definition().objectOrEmpty("status");
        assertThat(status.objects("conditions").stream().map(c -> c.text("type")))
                .containsExactly("NamesAccepted", "Established");
        assertThat(status.strings("storedVersions")).containsExactly("v1");
        assertThat(status.objectOrEmpty("acceptedNames").text("listKind")).isEqualTo("WidgetList");
        assertThat(status.objectOrEmpty("acceptedNames").text("singular")).isEqualTo("widget");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: widgets.example.com|name: other.example.com|metadata.name INVALID",
                "storage: true|storage: false|spec.versions INVALID",
                "scope: Namespaced|scope: Local|spec.scope NOT_SUPPORTED",
                "kind: Widget,|kind: WidgetList, listKind: WidgetList,"
                        + "|spec.names.listKind INVALID",
                "jsonPath: .spec.size|jsonPath: spec.size"
                        + "|spec.versions[1].additionalPrinterColumns[0].jsonPath INVALID",
                "specReplicasPath: .spec|specReplicasPath: .status"
                        + "|spec.versions[1].subresources.scale.specReplicasPath INVALID",
            })
    void definitionsAreValidated(String part, String replacement, String fault) {
        var changed = KindsFixture.yaml(DEFINITION.replace(part, replacement));
        assertThat(KindsFixture.faults(fixture.create(CRDS, changed))).containsExactly(fault);
    }

    @Test
    void schemasAreRequired() {
        var without = DEFINITION.replace("schema: {openAPIV3Schema: {type: object}}", "schema: {}");
        assertThat(KindsFixture.faults(fixture.create(CRDS, KindsFixture.yaml(without))))
                .containsExactly(
                        "spec.versions[0].schema.openAPIV3Schema REQUIRED",
                        "spec.versions[1].schema.openAPIV3Schema REQUIRED");
    }

    @Test
    void aDefinitionBecomesAResource() {
        var widgets =
                new CustomKinds(_ -> CustomSchema.ANYTHING).resource(definition()).orElseThrow();
        assertThat(widgets.collection()).isEqualTo("example.com/widgets");
        assertThat(widgets.versions()).containsExactly("v1", "v1alpha1");
        assertThat(widgets.hasStatus()).isTrue();
        assertThat(widgets.shortNames()).containsExactly("wi");
        assertThat(widgets.subresource("scale")).isPresent();
        var widget =
                KindsFixture.yaml(
                        """
                        metadata: {name: w, creationTimestamp: '2030-01-01T11:00:00Z'}
                        spec: {size: 3, color: red}
                        status: {conditions: [{type: Other}, {type: Ready, status: 'True'}]}
                        """);
        assertThat(
                        widgets.columns().stream()
                                .map(c -> JsonPath.text(c.cell().of(widget, KindsFixture.NOW))))
                .containsExactly("w", "3", "True", "60m");
        assertThat(widgets.selectable().get("spec.color"))
                .isNotNull()
                .satisfies(field -> assertThat(field.apply(widget)).isEqualTo("red"));
    }

    @Test
    void objectsOfCustomKindsCountGenerationsAndKeepTheirStatus() {
        var rules =
                new CustomKinds(_ -> CustomSchema.ANYTHING)
                        .resource(definition())
                        .orElseThrow()
                        .strategy();
        var context = fixture.context("default");
        var sent =
                KindsFixture.yaml(
                        "{metadata: {name: w, namespace: default, resourceVersion: '1'}, "
                                + "spec: {size: 1}, status: {size: 9}}");
        var stored = rules.create(sent, context).object();
        assertThat(stored.has("status")).isFalse();
        assertThat(stored.objectOrEmpty("metadata").number("generation")).hasValue(1);
        var changed = stored.with("spec", KindsFixture.yaml("{size: 2}"));
        assertThat(
                        rules.update(stored, changed, context)
                                .object()
                                .objectOrEmpty("metadata")
                                .number("generation"))
                .hasValue(2);
        var reported =
                rules.updateStatus(
                                stored,
                                changed.with("status", KindsFixture.yaml("{size: 1}")),
                                context)
                        .object();
        assertThat(reported.objectOrEmpty("spec")).isEqualTo(stored.objectOrEmpty("spec"));
        assertThat(reported.objectOrEmpty("status")).isEqualTo(KindsFixture.yaml("{size: 1}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".a.b|1",
                ".list[0].w|x",
                ".list[-1].w|z",
                ".list[*].w|x,z",
                ".map['k.k']|v",
                ".map.k\\.k|v",
                ".list[?(@.w=='z')].v|2",
                ".list[?(@.v==2)].w|z",
                ".missing.b|''",
            })
    void jsonPathsFindValues(String path, String found) {
        var object =
                KindsFixture.yaml("{a: {b: 1}, list: [{w: x, v: 1}, {w: z, v: 2}], map: {k.k: v}}");
        var parsed = (JsonPath.Parsing.Parsed) JsonPath.parse(path);
        var texts = parsed.path().find(object).stream().map(JsonPath::text).toList();
        assertThat(String.join(",", texts)).isEqualTo(found);
    }

    @Test
    void malformedJsonPathsAreRejected() {
        for (var text : List.of("a", ".a..b", ".a[", ".a[x]")) {
            assertThat(JsonPath.parse(text))
                    .as(text)
                    .isInstanceOf(JsonPath.Parsing.Malformed.class);
        }
    }

    @Test
    void stableAndNewVersionsArePreferred() {
        assertThat(
                        VersionPriority.preferredFirst(
                                List.of("foo", "v1alpha2", "v2beta1", "v10", "v2", "v1beta12")))
                .containsExactly("v10", "v2", "v2beta1", "v1beta12", "v1alpha2", "foo");
    }
}
