package dev.berth.app.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks of expectations on a pod with a GPU and a share of a NIC.
class ExpectationCheckTest {

    private static final String NODE =
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: node-1
              labels: {node.kubernetes.io/instance-type: h100x8}
            """;

    private static final String SLICE =
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: slice}
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 1}
              devices:
              - name: gpu-0
                attributes: {model: {string: big}, root: {string: a}}
              - name: nic-0
                allowMultipleAllocations: true
                attributes: {root: {string: b}}
                capacity: {bandwidth: {value: 100G}}
            """;

    private static final String CLAIM =
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: devices, namespace: demo}
            spec:
              devices:
                requests:
                - {name: gpu, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}
            status:
              allocation:
                devices:
                  results:
                  - {request: gpu, driver: gpu.example.com, pool: node-1, device: gpu-0}
                  - request: nic
                    driver: gpu.example.com
                    pool: node-1
                    device: nic-0
                    shareID: 7a4f16d7-2bd1-4a4c-a1b3-0c1d6a52f6ed
                    consumedCapacity: {bandwidth: 40G}
                  config:
                  - source: FromClass
                    requests: [gpu]
                    opaque: {driver: gpu.example.com, parameters: {mode: slow, clock: 5}}
                  - source: FromClaim
                    opaque: {driver: gpu.example.com, parameters: {mode: quick}}
              devices:
              - driver: gpu.example.com
                pool: node-1
                device: gpu-0
                conditions: [{type: Ready, status: "True", reason: r, message: m}]
            """;

    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: web-1, namespace: demo, uid: u1}
            spec:
              nodeName: node-1
              containers: [{name: main, image: x}]
              resourceClaims: [{name: d, resourceClaimName: devices}]
            status:
              phase: Running
              conditions: [{type: PodScheduled, status: "True", message: all is well}]
            """;

    private static final String EVENT =
            """
            apiVersion: v1
            kind: Event
            metadata: {name: e, namespace: demo}
            involvedObject: {name: web-0}
            reason: Evicted
            message: gpu-7 is broken
            """;

    @TempDir private Path folder;

    @Test
    void everythingThatIsSoIsMet() throws IOException {
        assertThat(
                        mismatch(
                                """
                                pods: web-*
                                nodes: [h100x8, a100x4]
                                message: [well]
                                event: {reason: Evicted, message: broken}
                                sameNode: true
                                sameDevices: true
                                devices:
                                - request: gpu
                                  where: device.attributes['gpu.example.com'].model == 'big'
                                  config: {mode: quick, clock: 5}
                                  condition: Ready
                                - request: nic
                                  consumes: {bandwidth: 40G}
                                - count: 2
                                """))
                .isEmpty();
    }

    @Test
    void whateverIsNotSoIsNamed() throws IOException {
        assertThat(mismatch("{pods: web-1, phase: Pending}"))
                .isEqualTo("pod web-1 is Running: all is well");
        assertThat(mismatch("{pods: web-*, count: 2}"))
                .isEqualTo("there are 1 pods web-*, and not 2");
        assertThat(mismatch("{pods: web-1, nodes: [cpu]}"))
                .isEqualTo("pod web-1 is on node \"node-1\"");
        assertThat(mismatch("{pods: web-1, message: [wrong]}"))
                .isEqualTo("pod web-1 is told \"all is well\", without \"wrong\"");
        assertThat(mismatch("{pods: web-1, sameValues: [root]}"))
                .isEqualTo("the devices of pod web-1 differ in root");
        assertThat(mismatch("{pods: web-*, event: {reason: Started}}"))
                .isEqualTo("no event Started tells \"\"");
    }

    @Test
    void whateverIsNotSoOfADeviceIsNamed() throws IOException {
        assertThat(mismatch("{pods: web-1, devices: [{request: gpu, count: 2}]}"))
                .isEqualTo("pod web-1 has 1 devices for gpu, and not 2");
        assertThat(mismatch("{pods: web-1, devices: [{request: gpu, where: 'false'}]}"))
                .isEqualTo(
                        "device gpu.example.com/node-1/gpu-0 of pod web-1: it is not so that"
                                + " false");
        assertThat(mismatch("{pods: web-1, devices: [{request: nic, consumes: {bandwidth: 4G}}]}"))
                .endsWith("nic-0 of pod web-1: of bandwidth it gives 40G, and not 4G");
        assertThat(mismatch("{pods: web-1, devices: [{request: gpu, config: {mode: slow}}]}"))
                .endsWith("its driver is not told the right mode");
        assertThat(mismatch("{pods: web-1, devices: [{request: nic, condition: Ready}]}"))
                .endsWith("condition Ready is not true");
    }

    @Test
    void aPodThatWasThereBeforeIsNotAnew() throws IOException {
        var expectation = expectation("{pods: web-1}");
        var verdict =
                ExpectationCheck.check(
                        new CompiledSelectors(), expectation, view(), List.of("model"), List.of());
        assertThat(verdict).isInstanceOf(ExpectationResult.Met.class);
        var results = ((ExpectationResult.Met) verdict).results();
        assertThat(results.getFirst().devices().getFirst().shown()).containsEntry("model", "big");
        assertThat(
                        ExpectationCheck.check(
                                new CompiledSelectors(),
                                expectation("{pods: web-1, anew: true}"),
                                view(),
                                List.of(),
                                results))
                .isEqualTo(
                        new ExpectationResult.NotYet(
                                "the pods, or their devices, are those from before"));
    }

    @Test
    void whatCannotBeReadIsRefused() {
        assertThatThrownBy(() -> expectation("{pods: a, device: []}"))
                .isInstanceOf(InvalidScenarioException.class)
                .hasMessageEndingWith("expected.yaml: expect: there is no field \"device\"");
        assertThatThrownBy(() -> expectation("{phase: Running}"))
                .hasMessageEndingWith("expect: field \"pods\" is needed");
        assertThatThrownBy(() -> expectation("{pods: a, devices: [{where: 1 +}]}"))
                .hasMessageContaining("devices: where: ");
        assertThatThrownBy(() -> expectation("{pods: a, devices: [{consumes: {x: lots}}]}"))
                .hasMessageEndingWith("consumes: x: \"lots\" is no quantity");
    }

    /// The mismatch; empty when the expectation is met.
    private String mismatch(String expected) throws IOException {
        return switch (ExpectationCheck.check(
                new CompiledSelectors(), expectation(expected), view(), List.of(), List.of())) {
            case ExpectationResult.Met _ -> "";
            case ExpectationResult.NotYet(var reason) -> reason;
        };
    }

    private Expectation expectation(String text) throws IOException {
        Files.writeString(
                folder.resolve(ScenarioReader.EXPECTED),
                "title: t\nnodes: cpu=1\nsteps:\n- expect:\n" + text.indent(4));
        return ScenarioReader.read(folder).steps().getFirst()
                        instanceof ScenarioStep.Expect(var read)
                ? read
                : Optional.<Expectation>empty().orElseThrow();
    }

    private static NamespaceView view() {
        return new NamespaceView(
                List.of(read(Kinds.POD, POD)),
                List.of(read(Kinds.RESOURCE_CLAIM, CLAIM)),
                List.of(tree(EVENT)),
                List.of(read(Kinds.NODE, NODE)),
                List.of(read(Kinds.RESOURCE_SLICE, SLICE)),
                List.of());
    }

    private static <T extends KubernetesObject> T read(Kind<T> kind, String text) {
        return switch (new Codec().readTree(kind, tree(text), UnknownFieldPolicy.STRICT)) {
            case Decoded.Read<T> read -> read.object();
            case Decoded.Refused<T> refused -> throw new AssertionError(refused.message());
        };
    }

    private static JsonObject tree(String text) {
        return YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
