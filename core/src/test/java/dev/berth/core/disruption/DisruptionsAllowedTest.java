package dev.berth.core.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.YamlReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisruptionsAllowedTest {

    private static final String SELECTOR = "selector: {matchLabels: {app: web}}}";

    private static final List<Pod> PODS =
            List.of(
                    pod("a", "app: web", "[{type: Ready, status: 'True'}]"),
                    pod("b", "app: web", "[]"),
                    pod("c", "app: web", "[{type: Ready, status: 'False'}]"),
                    pod("d", "app: other", "[]"));

    @Test
    void theStatusDecides() {
        assertThat(allowed("spec: {maxUnavailable: 1}, status: {disruptionsAllowed: 5}"))
                .isEqualTo(5);
    }

    @Test
    void withoutStatusPodsThatAreNotReadyCountAsUnavailable() {
        assertThat(allowed("spec: {maxUnavailable: 1, " + SELECTOR)).isZero();
        assertThat(allowed("spec: {maxUnavailable: 2, " + SELECTOR)).isEqualTo(1);
        assertThat(allowed("spec: {minAvailable: 1, " + SELECTOR)).isEqualTo(1);
        assertThat(allowed("spec: {minAvailable: 50%, " + SELECTOR)).isZero();
    }

    private static long allowed(String content) {
        var tree =
                YamlReader.read("{metadata: {namespace: default, name: b}, %s}".formatted(content));
        return DisruptionsAllowed.of(DisruptionBudget.of(tree.object().orElseThrow()), PODS);
    }

    private static Pod pod(String name, String labels, String conditions) {
        var yaml =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s, labels: {%s},
                 ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: o, uid: o,
                  controller: true}]},
                 spec: {containers: [{name: c}]}, status: {conditions: %s}}
                """
                        .formatted(name, labels, conditions);
        return (Pod)
                new Codec()
                        .readTree(
                                YamlReader.read(yaml).object().orElseThrow(),
                                UnknownFieldPolicy.LENIENT)
                        .orThrow();
    }
}
