package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import org.junit.jupiter.api.Test;

class AutoscalersTest {

    private static final String MANY_METRICS =
            """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {name: h, annotations: {mine: kept}}
            spec:
              maxReplicas: 3
              metrics:
              - type: Pods
                pods:
                  metric: {name: q, selector: {matchLabels: {a: b}}}
                  target: {averageValue: "10", type: AverageValue}
              - type: Object
                object:
                  describedObject: {kind: Service, name: s}
                  metric: {name: hits}
                  target: {value: "5", type: Value}
              - type: External
                external:
                  metric: {name: x}
                  target: {averageValue: "7", type: AverageValue}
              - type: ContainerResource
                containerResource:
                  name: memory
                  container: c
                  target: {averageUtilization: 60, type: Utilization}
              behavior: {scaleDown: {selectPolicy: Min}}
            status:
              currentReplicas: 2
              conditions: [{type: AbleToScale, status: "True"}]
              currentMetrics:
              - {type: Pods, pods: {metric: {name: q}, current: {averageValue: "3"}}}
            """;

    private final KindsFixture fixture = new KindsFixture();

    private JsonObject toV2(String v1) {
        return fixture.kind("autoscaling/horizontalpodautoscalers")
                .toInternal("v1", KindsFixture.yaml(v1));
    }

    private JsonObject toV1(JsonObject v2) {
        return fixture.kind("autoscaling/horizontalpodautoscalers").fromInternal("v1", v2);
    }

    @Test
    void cpuUtilizationIsAMetricInTheStoredVersion() {
        var v2 =
                toV2(
                        """
                        metadata: {name: h}
                        spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 50}
                        status: {currentReplicas: 1, currentCPUUtilizationPercentage: 70}
                        """);
        assertThat(v2.text("apiVersion")).isEqualTo("autoscaling/v2");
        assertThat(v2.objectOrEmpty("spec"))
                .isEqualTo(
                        KindsFixture.yaml(
                                """
                                maxReplicas: 3
                                metrics:
                                - type: Resource
                                  resource:
                                    name: cpu
                                    target: {averageUtilization: 50, type: Utilization}
                                """));
        var v1 = toV1(v2);
        assertThat(v1.text("apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(v1.objectOrEmpty("spec"))
                .isEqualTo(
                        KindsFixture.yaml("{maxReplicas: 3, targetCPUUtilizationPercentage: 50}"));
        assertThat(v1.objectOrEmpty("status").number("currentCPUUtilizationPercentage"))
                .hasValue(70);
    }

    @Test
    void fieldsThatV1LacksAreKeptInAnnotations() {
        var v2 = KindsFixture.yaml(MANY_METRICS);
        var v1 = toV1(v2);
        assertThat(v1.objectOrEmpty("spec")).isEqualTo(KindsFixture.yaml("{maxReplicas: 3}"));
        var annotations = v1.objectOrEmpty("metadata").objectOrEmpty("annotations");
        assertThat(annotations.names())
                .containsExactlyInAnyOrder(
                        "mine",
                        "autoscaling.alpha.kubernetes.io/metrics",
                        "autoscaling.alpha.kubernetes.io/current-metrics",
                        "autoscaling.alpha.kubernetes.io/behavior",
                        "autoscaling.alpha.kubernetes.io/conditions");
        assertThat(annotations.text("autoscaling.alpha.kubernetes.io/metrics"))
                .contains("\"metricName\":\"q\"", "\"targetAverageValue\":\"10\"");
        assertThat(fixture.kind("autoscaling/horizontalpodautoscalers").toInternal("v1", v1))
                .isEqualTo(v2);
    }

    @Test
    void malformedAnnotationsAreDropped() {
        var v2 =
                toV2(
                        """
                        metadata:
                          name: h
                          annotations: {autoscaling.alpha.kubernetes.io/metrics: "{"}
                        spec: {maxReplicas: 3}
                        """);
        assertThat(v2.objectOrEmpty("spec")).isEqualTo(KindsFixture.yaml("{maxReplicas: 3}"));
        assertThat(v2.objectOrEmpty("metadata").has("annotations")).isFalse();
    }
}
