package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.kinds.pod.PriorityClasses;
import dev.berth.server.registry.ApiException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class SubresourceRulesTest {

    private final KindsFixture fixture = new KindsFixture();

    @ParameterizedTest
    @CsvFileSource(
            resources = "/kinds/faults.csv",
            delimiter = '|',
            quoteCharacter = '~',
            maxCharsPerColumn = -1)
    void newObjectsAreValidated(String collection, String object, String faults) {
        var admitted = fixture.create(collection, KindsFixture.yaml(object));
        assertThat(String.join("; ", KindsFixture.faults(admitted)))
                .isEqualTo(faults == null ? "" : faults);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apps/deployments | spec.template"
                        + " | {selector: {matchLabels: {a: b}}, template: %s}",
                "apps/replicasets | spec.template"
                        + " | {selector: {matchLabels: {a: b}}, template: %s}",
                "apps/statefulsets | spec.template | {serviceName: s,"
                        + " selector: {matchLabels: {a: b}}, template: %s}",
                "apps/daemonsets | spec.template | {selector: {matchLabels: {a: b}}, template: %s}",
                "replicationcontrollers | spec.template | {selector: {a: b}, template: %s}",
                "batch/jobs | spec.template | {template: %s}",
                "batch/cronjobs | spec.jobTemplate.spec.template"
                        + " | {schedule: '@daily', jobTemplate: {spec: {template: %s}}}",
            })
    void claimsOfPodTemplatesAreValidated(String collection, String path, String spec) {
        var restart = collection.startsWith("batch") ? "Never" : "Always";
        var pod =
                """
                {metadata: {labels: {a: b}}, spec: {restartPolicy: %s,
                 resourceClaims: [{name: gpu}],
                 containers: [{name: c, image: i, resources: {claims: [{name: typo}]}}]}}\
                """
                        .formatted(restart);
        var object =
                "{metadata: {name: m, namespace: x, uid: u}, spec: %s}"
                        .formatted(spec.formatted(pod));
        assertThat(KindsFixture.faults(fixture.create(collection, KindsFixture.yaml(object))))
                .containsExactly(
                        path + ".spec.resourceClaims[0] INVALID",
                        path + ".spec.containers[0].resources.claims[0] NOT_FOUND");
    }

    @Test
    void finalizersOfEveryBuiltInKindAreValidated() {
        for (var kind : BuiltInKinds.all(KindOptions.of(FeatureGates.defaults()))) {
            if (kind.group().equals("apiextensions.k8s.io")) {
                continue;
            }
            var object =
                    KindsFixture.yaml("{metadata: {name: m, namespace: x, finalizers: [foo]}}");
            var admitted = kind.strategy().create(object, fixture.context("x"));
            assertThat(KindsFixture.faults(admitted))
                    .as(kind.collection())
                    .contains("metadata.finalizers[0] INVALID");
        }
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/kinds/update-faults.csv",
            delimiter = '|',
            quoteCharacter = '~',
            maxCharsPerColumn = -1)
    void updatesAreValidated(String collection, String old, String object, String faults) {
        var before = fixture.create(collection, KindsFixture.yaml(old)).object();
        var after = fixture.create(collection, KindsFixture.yaml(object)).object();
        var admitted = fixture.update(collection, before, after);
        assertThat(String.join("; ", KindsFixture.faults(admitted)))
                .isEqualTo(faults == null ? "" : faults);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/kinds/defaults.csv",
            delimiter = '|',
            quoteCharacter = '~',
            maxCharsPerColumn = -1)
    void defaultsAreFilledIn(String collection, String object, String filled) {
        var made = fixture.kind(collection).strategy();
        assertThat(made.defaults(KindsFixture.yaml(object), fixture.context("default")))
                .isEqualTo(KindsFixture.yaml(filled));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/5 9-17 * * mon-fri|",
                "0 0 1,15 jan 0|",
                "@daily|",
                "@every 1h30m|",
                "@often|unrecognized descriptor: @often",
                "* * * *|expected exactly 5 fields, found 4: [*, *, *, *]",
                "60 * * * *|end of range (60) above maximum (59): 60",
                "5-1 * * * *|beginning of range (5) beyond end of range (1): 5-1",
                "x * * * *|failed to parse number: x",
            })
    void cronSchedulesAreValidated(String schedule, String problem) {
        assertThat(CronSchedule.problem(schedule)).isEqualTo(Optional.ofNullable(problem));
    }

    @Test
    void jobSelectorsAreGeneratedFromTheUid() {
        var job =
                fixture.create(
                                "batch/jobs",
                                KindsFixture.yaml(
                                        """
                                        metadata: {name: j, namespace: default, uid: u-1}
                                        spec:
                                          template:
                                            spec:
                                              restartPolicy: Never
                                              containers: [{name: c, image: i}]
                                        """))
                        .object()
                        .objectOrEmpty("spec");
        assertThat(job.objectOrEmpty("selector"))
                .isEqualTo(
                        KindsFixture.yaml(
                                "matchLabels: {batch.kubernetes.io/controller-uid: u-1}"));
        assertThat(job.objectOrEmpty("template").objectOrEmpty("metadata").objectOrEmpty("labels"))
                .isEqualTo(
                        KindsFixture.yaml(
                                "{batch.kubernetes.io/controller-uid: u-1, "
                                        + "batch.kubernetes.io/job-name: j, controller-uid: u-1, "
                                        + "job-name: j}"));
        assertThat(job.number("backoffLimit")).hasValue(6);
    }

    @Test
    void servicesGetTheFirstFreeClusterIp() {
        fixture.given(
                "services", "{metadata: {name: a, namespace: x}, spec: {clusterIP: 10.96.0.2}}");
        var service =
                fixture.create(
                        "services",
                        KindsFixture.yaml(
                                "{metadata: {name: b, namespace: x}, "
                                        + "spec: {ports: [{port: 80}]}}"));
        assertThat(service.problems()).isEmpty();
        assertThat(service.object().objectOrEmpty("spec").text("clusterIP")).isEqualTo("10.96.0.3");
    }

    @Test
    void adminAccessNeedsALabelledNamespace() {
        fixture.given("namespaces", "{metadata: {name: default}}");
        var claim =
                KindsFixture.yaml(
                        """
                        metadata: {name: c, namespace: default}
                        spec:
                          devices:
                            requests:
                            - {name: r, exactly: {deviceClassName: gpu, adminAccess: true}}
                        """);
        assertThat(KindsFixture.faults(fixture.create("resource.k8s.io/resourceclaims", claim)))
                .containsExactly("spec.devices.requests[0].adminAccess FORBIDDEN");
    }

    @Test
    void allocationsNeedThePermissionToBind() {
        fixture.authorizing(access -> AuthorizationDecision.noOpinion("no rule"));
        var claim =
                KindsFixture.yaml("{metadata: {name: c, namespace: default}, spec: {devices: {}}}");
        var allocated = claim.with("status", KindsFixture.yaml("{allocation: {devices: {}}}"));
        assertThat(
                        KindsFixture.faults(
                                fixture.updateStatus(
                                        "resource.k8s.io/resourceclaims", claim, allocated)))
                .containsExactly("status.allocation FORBIDDEN");
    }

    @Test
    void privilegeEscalationIsForbidden() {
        var options =
                KindOptions.of(FeatureGates.defaults())
                        .withEscalation((kind, _, _) -> Optional.of(kind + " is too much"));
        var roles =
                BuiltInKinds.all(options).stream()
                        .filter(one -> one.plural().equals("roles"))
                        .findFirst()
                        .orElseThrow();
        var role = KindsFixture.yaml("{metadata: {name: r, namespace: default}, rules: []}");
        var refused =
                catchThrowableOfType(
                        ApiException.class,
                        () -> roles.strategy().create(role, fixture.context("default")));
        assertThat(refused.error().message())
                .isEqualTo("roles.rbac.authorization.k8s.io \"r\" is forbidden: Role is too much");
    }

    @Test
    void stringDataIsMergedIntoData() {
        var secret =
                fixture.create(
                                "secrets",
                                KindsFixture.yaml(
                                        "{metadata: {name: s, namespace: default}, "
                                                + "stringData: {a: hello}}"))
                        .object();
        assertThat(secret.objectOrEmpty("data").member("a")).contains(Json.of("aGVsbG8="));
        assertThat(secret.has("stringData")).isFalse();
        assertThat(secret.text("type")).isEqualTo("Opaque");
    }

    @Test
    void onlyOnePriorityClassIsTheDefault() {
        fixture.given(
                "scheduling.k8s.io/priorityclasses",
                "{metadata: {name: a}, value: 1, globalDefault: true}");
        var other = KindsFixture.yaml("{metadata: {name: b}, value: 2, globalDefault: true}");
        assertThat(KindsFixture.faults(fixture.create("scheduling.k8s.io/priorityclasses", other)))
                .containsExactly("globalDefault FORBIDDEN");
    }

    @Test
    void systemPriorityClassesEqualThoseOfKubernetes() {
        assertThat(PriorityClasses.system().stream().map(c -> c.number("value").orElse(0)))
                .containsExactly(2_000_000_000L, 2_000_001_000L);
    }

    @Test
    void nodesAreCreatedWithTheirStatus() {
        var node =
                KindsFixture.yaml("{metadata: {name: node-1}, status: {capacity: {cpu: 4000m}}}");
        assertThat(fixture.create("nodes", node).object().objectOrEmpty("status"))
                .isEqualTo(KindsFixture.yaml("{capacity: {cpu: '4'}, allocatable: {cpu: '4'}}"));
    }
}
