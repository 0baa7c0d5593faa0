package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SubresourcesTest {

    private static final String POD =
            """
            metadata: {name: p, namespace: default, uid: u-1, resourceVersion: '7', labels: {a: b}}
            spec: {containers: [{name: c, image: i}]}
            status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}
            """;

    private final KindsFixture fixture = new KindsFixture();

    /// Records the writes to the parent.
    private final class Recorder implements Subresource.Writer {
        private final JsonObject parent;
        private final List<JsonObject> changed = new ArrayList<>();
        private final List<JsonObject> deleted = new ArrayList<>();

        Recorder(JsonObject parent) {
            this.parent = parent;
        }

        @Override
        public JsonObject change(UnaryOperator<JsonObject> change) {
            changed.add(change.apply(parent));
            return changed.getLast();
        }

        @Override
        public JsonObject changeOther(
                String collection,
                String namespace,
                String name,
                UnaryOperator<JsonObject> change) {
            changed.add(
                    change.apply(fixture.objects().get(collection, namespace, name).orElseThrow()));
            return changed.getLast();
        }

        @Override
        public JsonObject delete(JsonObject deleteOptions) {
            deleted.add(deleteOptions);
            return parent;
        }

        @Override
        public void warn(String warning) {}
    }

    private Recorder write(String collection, String name, JsonObject parent, String body) {
        var recorder = new Recorder(parent);
        fixture.kind(collection)
                .subresource(name)
                .orElseThrow()
                .rules()
                .write(parent, KindsFixture.yaml(body), fixture.context("default"), recorder);
        return recorder;
    }

    private ApiError error(String name, String pod, String body) {
        return catchThrowableOfType(
                        ApiException.class, () -> write("pods", name, KindsFixture.yaml(pod), body))
                .error();
    }

    @Test
    void bindingSetsTheNode() {
        var bound =
                write("pods", "binding", KindsFixture.yaml(POD), "{target: {name: node-1}}")
                        .changed
                        .getFirst();
        assertThat(bound.objectOrEmpty("spec").text("nodeName")).isEqualTo("node-1");
        assertThat(bound.objectOrEmpty("status").objects("conditions").getLast())
                .isEqualTo(
                        KindsFixture.yaml(
                                "{type: PodScheduled, status: 'True', lastProbeTime: null, "
                                        + "lastTransitionTime: '2030-01-01T12:00:00Z'}"));
    }

    @Test
    void bindingIsRejectedForBoundDeletedOrOtherPods() {
        var body = "{target: {name: node-1}}";
        assertThat(error("binding", POD.replace("spec: {", "spec: {nodeName: m, "), body).message())
                .isEqualTo(
                        "Operation cannot be fulfilled on pods/binding \"p\": pod p is already "
                                + "assigned to node \"m\"");
        assertThat(
                        error("binding", POD.replace("uid: u-1", "deletionTimestamp: x"), body)
                                .message())
                .contains("is being deleted");
        assertThat(error("binding", POD, "{metadata: {uid: u-2}, target: {name: node-1}}").code())
                .isEqualTo(409);
        assertThat(error("binding", POD, "{target: {kind: Moon}}").code()).isEqualTo(422);
    }

    @Test
    void evictionWithoutBudgetDeletes() {
        var recorder =
                write(
                        "pods",
                        "eviction",
                        KindsFixture.yaml(POD),
                        "{deleteOptions: {gracePeriodSeconds: 5}}");
        assertThat(recorder.deleted).containsExactly(KindsFixture.yaml("{gracePeriodSeconds: 5}"));
    }

    private void budget(int allowed) {
        fixture.given(
                "policy/poddisruptionbudgets",
                """
                metadata: {name: b, namespace: default, generation: 1}
                spec: {selector: {matchLabels: {a: b}}}
                status:
                  observedGeneration: 1
                  disruptionsAllowed: %d
                  desiredHealthy: 2
                  currentHealthy: 2
                """
                        .formatted(allowed));
    }

    @Test
    void evictionChargesTheBudget() {
        budget(1);
        var recorder = write("pods", "eviction", KindsFixture.yaml(POD), "{}");
        var status = recorder.changed.getFirst().objectOrEmpty("status");
        assertThat(status.number("disruptionsAllowed")).hasValue(0);
        assertThat(status.objectOrEmpty("disruptedPods").names()).containsExactly("p");
        assertThat(recorder.deleted).hasSize(1);
    }

    @Test
    void evictionIsRejectedWhileTheBudgetIsExhausted() {
        budget(0);
        var failure = error("eviction", POD, "{}");
        assertThat(failure.code()).isEqualTo(429);
        assertThat(failure.message())
                .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(failure.details().objects("causes").getFirst().text("message"))
                .isEqualTo("The disruption budget b needs 2 healthy pods and has 2 currently");
    }

    @Test
    void unhealthyPodsMayBeEvictedWhenEnoughAreHealthy() {
        budget(0);
        var unready = KindsFixture.yaml(POD.replace("'True'", "'False'"));
        assertThat(write("pods", "eviction", unready, "{}").deleted).hasSize(1);
    }

    @Test
    void ephemeralContainersAreOnlyAdded() {
        var pod = new KindsFixture().create("pods", KindsFixture.yaml(POD)).object();
        var with =
                write(
                                "pods",
                                "ephemeralcontainers",
                                pod,
                                "{spec: {ephemeralContainers: [{name: e, image: i}]}}")
                        .changed
                        .getFirst();
        assertThat(with.objectOrEmpty("spec").objects("ephemeralContainers")).hasSize(1);
        var refused =
                catchThrowableOfType(
                        ApiException.class,
                        () -> write("pods", "ephemeralcontainers", with, "{spec: {}}"));
        assertThat(refused.error().message()).contains("may not be removed");
    }

    @Test
    void resizeChangesOnlyCpuAndMemory() {
        var pod = new KindsFixture().create("pods", KindsFixture.yaml(sized("cpu: 1"))).object();
        var resized = write("pods", "resize", pod, sized("cpu: 2")).changed.getFirst();
        assertThat(
                        resized.objectOrEmpty("spec")
                                .objects("containers")
                                .getFirst()
                                .objectOrEmpty("resources")
                                .objectOrEmpty("requests")
                                .text("cpu"))
                .isEqualTo("2");
        assertThat(resized.objectOrEmpty("metadata").number("generation")).hasValue(2);
        var refused =
                catchThrowableOfType(
                        ApiException.class,
                        () -> write("pods", "resize", pod, sized("cpu: 1, ephemeral-storage: 1")));
        assertThat(refused.error().message()).contains("only cpu and memory");
    }

    @Test
    void resizeIsLimitedByLimitRanges() {
        var pod = new KindsFixture().create("pods", KindsFixture.yaml(sized("cpu: 1"))).object();
        fixture.given(
                "limitranges",
                """
                metadata: {name: small, namespace: default}
                spec: {limits: [{type: Container, max: {cpu: '1'}}]}
                """);

        var refused =
                catchThrowableOfType(
                        ApiException.class, () -> write("pods", "resize", pod, sized("cpu: 2")));

        assertThat(refused.error().code()).isEqualTo(403);
        assertThat(refused.error().message()).contains("maximum cpu usage per Container is 1");
    }

    private static String sized(String requests) {
        return """
        metadata: {name: p, namespace: default}
        spec: {containers: [{name: c, image: i, resources: {requests: {%s}}}]}
        """
                .formatted(requests);
    }

    @Test
    void scaleIsAViewOfTheReplicas() {
        var deployment =
                KindsFixture.yaml(
                        """
                        metadata: {name: d, namespace: default, generation: 1}
                        spec: {replicas: 2, selector: {matchLabels: {a: b}}}
                        status: {replicas: 1}
                        """);
        var scale = fixture.kind("apps/deployments").subresource("scale").orElseThrow().rules();
        assertThat(scale.read(deployment, fixture.context("default")))
                .isEqualTo(
                        KindsFixture.yaml(
                                """
                                kind: Scale
                                apiVersion: autoscaling/v1
                                metadata: {name: d, namespace: default}
                                spec: {replicas: 2}
                                status: {replicas: 1, selector: a=b}
                                """));
        var changed =
                write("apps/deployments", "scale", deployment, "{spec: {replicas: 5}}")
                        .changed
                        .getFirst();
        assertThat(changed.objectOrEmpty("spec").number("replicas")).hasValue(5);
        assertThat(changed.objectOrEmpty("metadata").number("generation")).hasValue(2);
    }

    @Test
    void tokenRequestsAreDefaulted() {
        var options =
                KindOptions.of(FeatureGates.defaults()).withTokens((_, request, _) -> request);
        var accounts =
                BuiltInKinds.all(options).stream()
                        .filter(one -> one.plural().equals("serviceaccounts"))
                        .findFirst()
                        .orElseThrow();
        var account = KindsFixture.yaml("{metadata: {name: a, namespace: default}}");
        var rules = accounts.subresource("token").orElseThrow().rules();
        var context = fixture.context("default");
        assertThat(rules.write(account, JsonObject.EMPTY, context, new Recorder(account)))
                .isEqualTo(KindsFixture.yaml("{spec: {expirationSeconds: 3600}}"));
        var tooShort = KindsFixture.yaml("{spec: {expirationSeconds: 60}}");
        var refused =
                catchThrowableOfType(
                        ApiException.class,
                        () -> rules.write(account, tooShort, context, new Recorder(account)));
        assertThat(refused.error().code()).isEqualTo(422);
    }

    @Test
    void finalizeRemovesNamespaceFinalizers() {
        var namespace =
                KindsFixture.yaml("{metadata: {name: m}, spec: {finalizers: [kubernetes]}}");
        var changed =
                write("namespaces", "finalize", namespace, "{spec: {finalizers: []}}")
                        .changed
                        .getFirst();
        assertThat(changed.objectOrEmpty("spec").items("finalizers")).isEmpty();
    }
}
