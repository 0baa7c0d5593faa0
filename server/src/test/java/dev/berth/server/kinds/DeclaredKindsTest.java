package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.schema.ServedKind;
import dev.berth.server.kinds.check.FieldChecks;
import dev.berth.server.kinds.check.FieldDefaults;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.column.CellTemplate;
import dev.berth.server.kinds.column.JsonPath;
import dev.berth.server.registry.Resource;
import dev.berth.server.schema.SampleObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredKindsTest {

    /// Kinds served by their schema that a component of Berth uses.
    private static final Set<String> ACTED_ON =
            Set.of(
                    "CSIDriver",
                    "CSINode",
                    "CSIStorageCapacity",
                    "ComponentStatus",
                    "Lease",
                    "RuntimeClass",
                    "StorageClass",
                    "VolumeAttachment");

    private final KindsFixture fixture = new KindsFixture();

    @Test
    void creationWarnsThatNoControllerActsOnTheKind() {
        for (var kind : Schemas.builtIn().served()) {
            var admitted = resource(kind).strategy().create(JsonObject.EMPTY, fixture.context("x"));
            if (ACTED_ON.contains(kind.kind())) {
                assertThat(admitted.warnings()).as(kind.kind()).isEmpty();
            } else {
                assertThat(admitted.warnings())
                        .as(kind.kind())
                        .singleElement()
                        .satisfies(w ->
                                assertThat(w)
                                        .startsWith("Berth stores " + kind.kind() + " objects"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apps/statefulsets",
                "apps/daemonsets",
                "batch/cronjobs",
                "certificates.k8s.io/certificatesigningrequests",
                "replicationcontrollers"
            })
    void otherKindsWithoutControllerWarnAsWell(String collection) {
        var kind = fixture.kind(collection);
        assertThat(fixture.create(collection, JsonObject.EMPTY).warnings())
                .singleElement()
                .satisfies(
                        w -> assertThat(w).startsWith("Berth stores " + kind.kind() + " objects"));
    }

    private Resource resource(ServedKind kind) {
        return fixture.kinds().stream()
                .filter(one -> one.group().equals(kind.group()) && one.kind().equals(kind.kind()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void webhooksAndPoliciesWarnThatTheyAreNotCalled() {
        var hook =
                KindsFixture.yaml(
                        """
                        metadata: {name: h}
                        webhooks:
                        - name: a.example.com
                          clientConfig: {url: "https://example.com"}
                          sideEffects: None
                          admissionReviewVersions: [v1]
                        """);
        var admitted =
                fixture.create(
                        "admissionregistration.k8s.io/validatingwebhookconfigurations", hook);
        assertThat(admitted.problems()).isEmpty();
        assertThat(admitted.warnings())
                .containsExactly(
                        "Berth stores ValidatingWebhookConfiguration objects and never calls their"
                                + " webhooks");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "{.a};{a: b};b",
                "{.a} else none;{};none",
                "{.a}/{.b} else none;{a: x};x/",
                "{.a[*].m};{a: [{m: x}, {m: z}]};x,z",
                "{.a|count};{};0",
                "{.a[*]|first 2};{a: [1, 2, 3, 4]};1,2 + 2 more...",
                "{.a|or *}/{.b} else -;{b: c};*/c",
                "{.b}{.a|prefix .};{b: x};x",
                "{.b}{.a|prefix .};{b: x, a: z};x.z",
                "80{.a|then , 443} else 80;{a: []};80, 443",
                "{.m}{.a|when true  (default)};{m: x, a: 'true'};x (default)",
                "{.m}{.a|when true  (default)};{m: x, a: 'false'};x",
                "{.c|condition Ready};{c: [{type: Ready, status: 'True', reason: R}]};True"
            })
    void cellsFollowTheirTemplate(String template, String object, String cell) {
        var made = CellTemplate.parse(template).cell("string");
        assertThat(JsonPath.text(made.of(KindsFixture.yaml(object), KindsFixture.NOW)))
                .isEqualTo(cell);
    }

    @Test
    void everyFieldOfDeclaredKindsPassesDefaultsAndChecks() {
        var failed = new ArrayList<String>();
        for (var kind : Schemas.builtIn().served()) {
            var sample = SampleObjects.full(kind.struct());
            var filled = FieldDefaults.filled(kind.struct(), sample);
            var checks = new ObjectChecks(fixture.context("x"));
            FieldChecks.check(kind.struct(), filled, checks);
            FieldChecks.checkUpdate(kind.struct(), filled, filled, checks);
            if (checks.found().stream().anyMatch(p -> p.type().name().equals("FORBIDDEN"))) {
                failed.add(kind.kind());
            }
        }
        assertThat(failed).as("an update without changes is no change").isEqualTo(List.of());
    }
}
