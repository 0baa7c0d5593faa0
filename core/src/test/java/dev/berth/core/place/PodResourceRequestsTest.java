package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.PodResourceRequests;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.quantity.Quantity;
import org.junit.jupiter.api.Test;

class PodResourceRequestsTest {

    private static final String MAIN = "containers: [{name: a, resources: {requests: {cpu: 1}}}]";

    @Test
    void containersAddUp() {
        assertThat(
                        cpu(
                                "containers: [{name: a, resources: {requests: {cpu: 1}}},"
                                        + " {name: b, resources: {requests: {cpu: 500m}}}]"))
                .isEqualTo(Quantity.parse("1500m"));
    }

    @Test
    void aLimitReplacesAMissingRequest() {
        assertThat(cpu("containers: [{name: a, resources: {limits: {cpu: 3}}}]"))
                .isEqualTo(Quantity.of(3));
    }

    @Test
    void theLargestInitContainerCountsWhenItNeedsMoreThanTheOthersTogether() {
        assertThat(
                        cpu(
                                "initContainers: [{name: i, resources: {requests: {cpu: 4}}},"
                                        + " {name: j, resources: {requests: {cpu: 2}}}]\n"
                                        + MAIN))
                .isEqualTo(Quantity.of(4));
    }

    @Test
    void sidecarsRunBesideTheInitContainersThatFollowThemAndBesideTheOthers() {
        var sidecar = "{name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}";
        var init = "{name: i, resources: {requests: {cpu: 4}}}";
        assertThat(cpu("initContainers: [" + sidecar + ", " + init + "]\n" + MAIN))
                .isEqualTo(Quantity.of(5));
        assertThat(cpu("initContainers: [" + init + ", " + sidecar + "]\n" + MAIN))
                .isEqualTo(Quantity.of(4));
        assertThat(cpu("initContainers: [" + sidecar + "]\n" + MAIN)).isEqualTo(Quantity.of(2));
    }

    @Test
    void podLevelRequestsReplaceContainerRequestsAndOverheadIsAdded() {
        assertThat(cpu("resources: {requests: {cpu: 8}}\noverhead: {cpu: 1}\n" + MAIN))
                .isEqualTo(Quantity.of(9));
    }

    @Test
    void aPodRequestsOneOfPods() {
        assertThat(PodResourceRequests.of(pod("containers: [{name: a}]")))
                .containsEntry("pods", Quantity.of(1));
    }

    private static Quantity cpu(String spec) {
        return PodResourceRequests.of(pod(spec)).getOrDefault("cpu", Quantity.ZERO);
    }

    private static Pod pod(String spec) {
        var text = "apiVersion: v1\nkind: Pod\nspec:\n" + spec.indent(2);
        if (!(YamlReader.read(text) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(text);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(Kinds.POD, tree, UnknownFieldPolicy.LENIENT).orThrow();
    }
}
