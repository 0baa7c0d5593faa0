package dev.berth.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeHealthTest {

    private static final Instant ADDED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Node NODE =
            (Node)
                    read(
                            """
                            apiVersion: v1
                            kind: Node
                            metadata: {name: node-1}
                            spec:
                              taints: [{key: k, effect: NoExecute, timeAdded: "%s"}]
                            """
                                    .formatted(ADDED));

    private static KubernetesObject read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        return new Codec()
                .readTree((JsonObject) documents.getFirst().root(), UnknownFieldPolicy.STRICT)
                .orThrow();
    }

    private static Optional<Instant> leavesAt(String tolerations) {
        var pod =
                read(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: default, name: p}
                        spec: {nodeName: node-1, containers: [{name: main}], tolerations: [%s]}
                        """
                                .formatted(tolerations));
        return NodeHealth.evictionTime((Pod) pod, NODE, ADDED);
    }

    private static String seconds(long seconds) {
        return "{operator: Exists, tolerationSeconds: %d}".formatted(seconds);
    }

    @Test
    void podIsEvictedWhenItsShortestTolerationEnds() {
        assertThat(leavesAt("")).contains(ADDED);
        assertThat(leavesAt(seconds(30) + "," + seconds(10))).contains(ADDED.plusSeconds(10));
        assertThat(leavesAt(seconds(-5))).contains(ADDED);
        assertThat(leavesAt("{operator: Exists}")).isEmpty();
        assertThat(leavesAt("{operator: Exists}," + seconds(30))).contains(ADDED.plusSeconds(30));
    }

    @Test
    void overflowingTolerationSecondsAreClamped() {
        assertThat(leavesAt(seconds(31_600_000_000_000_000L))).contains(Instant.MAX);
        assertThat(leavesAt(seconds(Long.MAX_VALUE))).contains(Instant.MAX);
    }
}
