package dev.berth.server.kinds.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.KindsFixture;
import dev.berth.server.kinds.check.DefaultsFiller;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaEvaluationTest {

    private final KindsFixture fixture = new KindsFixture();

    private static JsonObject quota(String hard, String used) {
        return KindsFixture.yaml(
                """
                metadata: {name: q, namespace: default}
                spec: {hard: {%s}}
                status: {used: {%s}}
                """
                        .formatted(hard, used));
    }

    private QuotaEvaluation.Charge charge(JsonObject quota, String collection, String object) {
        return QuotaEvaluation.charge(
                quota,
                fixture.kind(collection),
                KindsFixture.yaml(object),
                Optional.empty(),
                fixture.objects());
    }

    @Test
    void exceededQuotaHasTheMessageOfKubernetes() {
        assertThat(charge(quota("pods: 2", "pods: 2"), "pods", "{spec: {containers: []}}"))
                .isEqualTo(
                        new QuotaEvaluation.Charge.Exceeded(
                                "exceeded quota: q, requested: pods=1, used: pods=2, limited: "
                                        + "pods=2"));
    }

    @Test
    void allowedObjectsAreCharged() {
        var charged =
                charge(
                        quota("requests.cpu: 2, pods: 5", "requests.cpu: 500m, pods: 1"),
                        "pods",
                        "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}");
        assertThat(charged).isInstanceOf(QuotaEvaluation.Charge.Charged.class);
        assertThat(
                        ((QuotaEvaluation.Charge.Charged) charged)
                                .quota()
                                .objectOrEmpty("status")
                                .objectOrEmpty("used"))
                .isEqualTo(KindsFixture.yaml("{requests.cpu: 1500m, pods: '2'}"));
    }

    @Test
    void podsMustSpecifyTheResourcesOfTheQuota() {
        assertThat(charge(quota("limits.cpu: 2", ""), "pods", "{spec: {containers: [{name: c}]}}"))
                .isEqualTo(
                        new QuotaEvaluation.Charge.Exceeded(
                                "failed quota: q: must specify limits.cpu for: c"));
    }

    @ParameterizedTest
    @CsvSource({
        "In, high, true",
        "In, low, false",
        "In, '', false",
        "NotIn, high, false",
        "NotIn, '', true",
        "Exists, low, true",
        "Exists, '', false",
        "DoesNotExist, '', true",
        "DoesNotExist, low, false"
    })
    void podsAreInTheScopeOfTheirPriorityClass(String operator, String name, boolean isInScope) {
        var values = operator.contains("In") ? "[high]" : "[]";
        var quota =
                KindsFixture.yaml(
                        "{spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass,"
                                + " operator: %s, values: %s}]}}}".formatted(operator, values));
        var pod = KindsFixture.yaml("{spec: {priorityClassName: '%s'}}".formatted(name));
        assertThat(QuotaUsage.isInScope(quota, fixture.kind("pods"), pod)).isEqualTo(isInScope);
    }

    @Test
    void completedPodsUseOnlyTheirObjectCount() {
        var usage =
                QuotaUsage.of(
                        fixture.kind("pods"),
                        KindsFixture.yaml("{status: {phase: Succeeded}}"),
                        fixture.objects());
        assertThat(usage.keySet()).containsExactly("count/pods");
    }

    @Test
    void claimsAreCountedByClassAndByExtendedResource() {
        fixture.given(
                "resource.k8s.io/deviceclasses",
                "{metadata: {name: gpu}, spec: {extendedResourceName: example.com/gpu}}");
        var usage =
                QuotaUsage.of(
                        fixture.kind("resource.k8s.io/resourceclaims"),
                        KindsFixture.yaml(
                                """
                                spec:
                                  devices:
                                    requests:
                                    - {name: a, exactly: {deviceClassName: gpu, count: 2}}
                                    - name: b
                                      exactly: {deviceClassName: nic, allocationMode: All}
                                    - name: c
                                      firstAvailable:
                                      - {name: x, deviceClassName: gpu, count: 1}
                                      - {name: y, deviceClassName: gpu, count: 3}
                                """),
                        fixture.objects());
        assertThat(usage.toString())
                .isEqualTo(
                        "{count/resourceclaims.resource.k8s.io=1, "
                                + "gpu.deviceclass.resource.k8s.io/devices=5, "
                                + "nic.deviceclass.resource.k8s.io/devices=32, "
                                + "requests.deviceclass.resource.kubernetes.io/gpu=5, "
                                + "requests.deviceclass.resource.kubernetes.io/nic=32, "
                                + "requests.example.com/gpu=5}");
    }

    @Test
    void scopesExcludeOtherPods() {
        var scoped =
                DefaultsFiller.spec(
                        quota("pods: 0", ""),
                        s -> s.with("scopes", Json.array(Json.of("BestEffort"))));
        assertThat(
                        charge(
                                scoped,
                                "pods",
                                "{spec: {containers: [{name: c, "
                                        + "resources: {requests: {cpu: 1}}}]}}"))
                .isEqualTo(new QuotaEvaluation.Charge.Free());
        assertThat(charge(scoped, "pods", "{spec: {containers: [{name: c}]}}"))
                .isInstanceOf(QuotaEvaluation.Charge.Exceeded.class);
    }

    @Test
    void updatesAreChargedTheDifference() {
        var charged =
                QuotaEvaluation.charge(
                        quota("services.nodeports: 2", "services.nodeports: 2"),
                        fixture.kind("services"),
                        KindsFixture.yaml("{spec: {type: NodePort, ports: [{}]}}"),
                        Optional.of(KindsFixture.yaml("{spec: {type: NodePort, ports: [{}, {}]}}")),
                        fixture.objects());
        assertThat(charged).isInstanceOf(QuotaEvaluation.Charge.Charged.class);
    }

    @Test
    void recountSumsTheNamespace() {
        fixture.given("configmaps", "{metadata: {name: a, namespace: default}}");
        fixture.given("configmaps", "{metadata: {name: b, namespace: other}}");
        var fresh = quota("configmaps: 5, count/secrets: 1", "");
        assertThat(QuotaEvaluation.needsRecount(fresh)).isTrue();
        var counted = QuotaEvaluation.recount(fresh, fixture.kinds(), fixture.objects());
        assertThat(counted.objectOrEmpty("status").objectOrEmpty("used"))
                .isEqualTo(KindsFixture.yaml("{configmaps: '1', count/secrets: '0'}"));
        assertThat(QuotaEvaluation.needsRecount(counted)).isFalse();
    }

    private boolean isTouched(String hard, String collection, String old, String... now) {
        return QuotaEvaluation.isTouched(
                quota(hard, ""),
                fixture.kind(collection),
                KindsFixture.yaml(old),
                Arrays.stream(now).findFirst().map(KindsFixture::yaml));
    }

    @Test
    void deletionAffectsOnlyQuotasThatCountTheObject() {
        assertThat(isTouched("pods: 5", "pods", "{}")).isTrue();
        assertThat(isTouched("requests.cpu: 5", "pods", "{}")).isTrue();
        assertThat(isTouched("count/events: 5", "events", "{}")).isTrue();
        assertThat(isTouched("services.nodeports: 5", "services", "{}")).isTrue();
        assertThat(isTouched("requests.storage: 5", "persistentvolumeclaims", "{}")).isTrue();
        var claims = "resource.k8s.io/resourceclaims";
        assertThat(isTouched("gpu.deviceclass.resource.k8s.io/devices: 5", claims, "{}")).isTrue();

        assertThat(isTouched("pods: 5", "events", "{}")).isFalse();
        assertThat(isTouched("pods: 5", claims, "{}")).isFalse();
        assertThat(isTouched("requests.storage: 5", "pods", "{}")).isFalse();
        assertThat(isTouched("requests.cpu: 5", "persistentvolumeclaims", "{}")).isFalse();
    }

    @Test
    void updateAffectsOnlyQuotasWhoseUsageChanges() {
        var running = "{spec: {containers: [{name: c}]}, status: {phase: Running}}";
        var bound = "{spec: {nodeName: n, containers: [{name: c}]}, status: {phase: Running}}";
        var ended = "{spec: {containers: [{name: c}]}, status: {phase: Failed}}";

        assertThat(isTouched("pods: 5", "pods", running, ended)).isTrue();
        assertThat(isTouched("pods: 5", "pods", running, bound)).isFalse();
        assertThat(isTouched("configmaps: 5", "configmaps", "{}", "{data: {a: b}}")).isFalse();
    }
}
