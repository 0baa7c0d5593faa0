package dev.berth.server.kinds.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlWriter;
import dev.berth.server.kinds.KindsFixture;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.registry.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class PodsTest {

    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: default, labels: {app: web}}
            spec:
              containers:
              - {name: c, image: 'nginx:1.2', resources: {limits: {cpu: 1000m, memory: 1Gi}}}
            """;

    private final KindsFixture fixture = new KindsFixture();

    static String resource(String name) throws IOException {
        try (var in = PodsTest.class.getResourceAsStream("/kinds/" + name)) {
            if (in == null) {
                throw new IOException("there is no " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void newPodsGetTheDefaultsOfKubernetes() throws IOException {
        var admitted = fixture.create("pods", KindsFixture.yaml(resource("pod-before.yaml")));
        assertThat(KindsFixture.faults(admitted)).isEmpty();
        assertThat(YamlWriter.write(admitted.object()))
                .isEqualTo(YamlWriter.write(KindsFixture.yaml(resource("pod-after.yaml"))));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/kinds/pod-faults.csv",
            delimiter = '|',
            quoteCharacter = '~',
            maxCharsPerColumn = -1)
    void podsAreValidated(String spec, String faults) {
        var pod =
                KindsFixture.yaml(
                        "metadata: {name: p, namespace: default}\nspec: %s".formatted(spec));
        assertThat(String.join("; ", KindsFixture.faults(fixture.create("pods", pod))))
                .isEqualTo(faults == null ? "" : faults);
    }

    @ParameterizedTest
    @CsvSource({
        "nginx,Always",
        "nginx:latest,Always",
        "nginx:1,IfNotPresent",
        "localhost:5000/nginx,Always",
        "localhost:5000/nginx:1,IfNotPresent",
        "nginx@sha256:abc,IfNotPresent",
    })
    void imagesWithoutAFixedTagArePulledAlways(String image, String policy) {
        assertThat(PodDefaults.pullPolicy(image)).isEqualTo(policy);
    }

    private JsonObject stored() {
        return fixture.create("pods", KindsFixture.yaml(POD)).object();
    }

    @Test
    void imageChangesIncrementTheGeneration() {
        var old = stored();
        var changed = KindsFixture.yaml(YamlWriter.write(old).replace("nginx:1.2", "nginx:1.3"));
        var admitted = fixture.update("pods", old, changed);
        assertThat(admitted.problems()).isEmpty();
        assertThat(admitted.object().objectOrEmpty("metadata").number("generation")).hasValue(2);
    }

    @Test
    void labelChangesKeepTheGeneration() {
        var old = stored();
        var changed = KindsFixture.yaml(YamlWriter.write(old).replace("app: web", "app: api"));
        var admitted = fixture.update("pods", old, changed);
        assertThat(admitted.problems()).isEmpty();
        assertThat(admitted.object().objectOrEmpty("metadata").number("generation")).hasValue(1);
    }

    @Test
    void mostOfTheSpecIsImmutable() {
        var old = stored();
        var changed = DefaultsFiller.spec(old, s -> s.with("hostname", Json.of("x")));
        var admitted = fixture.update("pods", old, changed);
        assertThat(KindsFixture.faults(admitted)).containsExactly("spec FORBIDDEN");
        assertThat(admitted.problems().getFirst().detail())
                .startsWith("pod updates may not change fields other than");
    }

    @Test
    void schedulingGatesCanOnlyBeRemoved() {
        var gated =
                fixture.create(
                                "pods",
                                DefaultsFiller.spec(
                                        KindsFixture.yaml(POD),
                                        s -> s.with("schedulingGates", gates("a", "b"))))
                        .object();
        assertThat(gated.objectOrEmpty("status").objects("conditions").getFirst().text("reason"))
                .isEqualTo("SchedulingGated");
        var open = DefaultsFiller.spec(gated, s -> s.with("schedulingGates", gates("a")));
        var more = DefaultsFiller.spec(gated, s -> s.with("schedulingGates", gates("a", "b", "c")));
        assertThat(KindsFixture.faults(fixture.update("pods", gated, open))).isEmpty();
        assertThat(KindsFixture.faults(fixture.update("pods", gated, more)))
                .containsExactly("spec.schedulingGates[2] FORBIDDEN");
    }

    private static Json gates(String... names) {
        var gates = new ArrayList<Json>();
        for (var name : names) {
            gates.add(JsonObject.of("name", Json.of(name)));
        }
        return Json.array(gates);
    }

    @Test
    void priorityComesFromTheClass() {
        fixture.given(
                "scheduling.k8s.io/priorityclasses",
                "{metadata: {name: high}, value: 7, preemptionPolicy: Never}");
        var pod =
                DefaultsFiller.spec(
                        KindsFixture.yaml(POD), s -> s.with("priorityClassName", Json.of("high")));
        var spec = fixture.create("pods", pod).object().objectOrEmpty("spec");
        assertThat(spec.number("priority")).hasValue(7);
        assertThat(spec.text("preemptionPolicy")).isEqualTo("Never");
    }

    @Test
    void unknownPriorityClassesAreRefused() {
        var pod =
                DefaultsFiller.spec(
                        KindsFixture.yaml(POD), s -> s.with("priorityClassName", Json.of("high")));
        var refused = catchThrowableOfType(ApiException.class, () -> fixture.create("pods", pod));
        assertThat(refused.error().code()).isEqualTo(403);
        assertThat(refused.error().message())
                .isEqualTo("pods \"p\" is forbidden: no PriorityClass with name high was found");
    }

    @Test
    void limitRangesApplyToPods() {
        fixture.given(
                "limitranges",
                """
                metadata: {name: l, namespace: default}
                spec:
                  limits:
                  - {type: Container, max: {cpu: 500m}, defaultRequest: {memory: 1Mi}}
                """);
        var refused =
                catchThrowableOfType(
                        ApiException.class, () -> fixture.create("pods", KindsFixture.yaml(POD)));
        assertThat(refused.error().message())
                .isEqualTo(
                        "pods \"p\" is forbidden: [maximum cpu usage per Container is 500m, but "
                                + "limit is 1, maximum cpu usage per Container is 500m, but "
                                + "request is 1]");
    }

    @Test
    void statusKeepsQosClassAndSetsPodIp() {
        var old = stored();
        var sent =
                old.with("status", KindsFixture.yaml("{phase: Running, podIPs: [{ip: 10.0.0.1}]}"));
        var admitted = fixture.updateStatus("pods", old, sent);
        assertThat(admitted.problems()).isEmpty();
        assertThat(admitted.object().objectOrEmpty("status"))
                .isEqualTo(
                        KindsFixture.yaml(
                                "{phase: Running, podIPs: [{ip: 10.0.0.1}], podIP: 10.0.0.1, "
                                        + "qosClass: Guaranteed}"));
    }

    @Test
    void terminatedContainersStayTerminated() {
        var never =
                DefaultsFiller.spec(
                        KindsFixture.yaml(POD), s -> s.with("restartPolicy", Json.of("Never")));
        var old =
                fixture.create("pods", never)
                        .object()
                        .with(
                                "status",
                                KindsFixture.yaml(
                                        "{containerStatuses: [{name: c, state: "
                                                + "{terminated: {}}}]}"));
        var sent =
                old.with(
                        "status",
                        KindsFixture.yaml(
                                "{containerStatuses: [{name: c, state: {running: {}}}]}"));
        assertThat(KindsFixture.faults(fixture.updateStatus("pods", old, sent)))
                .isEqualTo(List.of("status.containerStatuses[0].state FORBIDDEN"));
    }
}
