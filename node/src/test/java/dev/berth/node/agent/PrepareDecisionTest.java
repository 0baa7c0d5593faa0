package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.node.agent.NodeClaimState.Phase;
import dev.berth.node.agent.NodeClaimState.PreparedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Decisions about claims of pods, and the claim state file.
class PrepareDecisionTest {

    private static final String GPU = "gpu.example.com";
    private static final Uid POD_1 = new Uid("pod-1-uid");
    private static final Uid POD_2 = new Uid("pod-2-uid");

    @TempDir private Path directory = Path.of("");

    @Test
    void aClaimIsRecordedAndItsDriverCalled() {
        var allowed = allowed(NodeClaimStates.NONE, pod(1), claim("c-uid", "[]"));
        assertThat(allowed.calls()).containsOnlyKeys(GPU);
        var claimStates = claimStates(allowed);
        assertThat(claimStates.pods()).containsExactly(POD_1);
        assertThat(claimStates.phase()).isEqualTo(Phase.PREPARING);
    }

    @Test
    void aSecondPodOnlyAddsItself() {
        var prepared = prepared();
        var allowed = allowed(prepared, pod(2), claim("c-uid", "[]"));
        assertThat(allowed.calls()).isEmpty();
        assertThat(claimStates(allowed).pods()).containsExactly(POD_1, POD_2);
    }

    @Test
    void claimsThatThePodMayNotUseAreRefused() {
        assertThat(refusal(NodeClaimStates.NONE, pod(1), withoutUsers()))
                .isEqualTo("pod pod-1 (pod-1-uid) is not allowed to use ResourceClaim c (c-uid)");
        assertThat(refusal(NodeClaimStates.NONE, pod(1), unallocated()))
                .isEqualTo("ResourceClaim c: not allocated");
        assertThat(
                        PrepareDecision.decide(
                                NodeClaimStates.NONE,
                                pod(1),
                                List.of(claim("c-uid", "[]")),
                                List.of("c"),
                                _ -> true))
                .isEqualTo(
                        new PrepareDecision.Refused(
                                "ResourceClaim c was not created for pod pod-1"));
    }

    @Test
    void claimsOfAPodGroupAreForItsPods() {
        var member =
                new Codec()
                        .readTree(
                                Kinds.POD,
                                tree(
                                        """
                                        metadata: {name: p, namespace: default, uid: p-uid}
                                        spec:
                                          schedulingGroup: {podGroupName: g}
                                          resourceClaims:
                                          - {name: gpus, resourceClaimTemplateName: t}
                                          containers: []
                                        """),
                                UnknownFieldPolicy.LENIENT)
                        .orThrow();
        var claim =
                new Codec()
                        .readTree(
                                Kinds.RESOURCE_CLAIM,
                                tree(
                                        """
                                        metadata:
                                          name: c
                                          namespace: default
                                          uid: c-uid
                                          ownerReferences:
                                          - apiVersion: scheduling.k8s.io/v1beta1
                                            kind: PodGroup
                                            name: g
                                            uid: g-uid
                                            controller: true
                                        status:
                                          allocation: {devices: {}}
                                          reservedFor:
                                          - {resource: podgroups, name: g, uid: g-uid}
                                        """),
                                UnknownFieldPolicy.LENIENT)
                        .orThrow();
        var made = List.of("c");

        assertThat(
                        PrepareDecision.decide(
                                NodeClaimStates.NONE, member, List.of(claim), made, _ -> true))
                .isInstanceOf(PrepareDecision.Allowed.class);
        assertThat(
                        PrepareDecision.decide(
                                NodeClaimStates.NONE, pod(1), List.of(claim), made, _ -> true))
                .isInstanceOf(PrepareDecision.Refused.class);
    }

    @Test
    void withoutItsDriverAClaimWaits() {
        assertThat(
                        PrepareDecision.decide(
                                NodeClaimStates.NONE,
                                pod(1),
                                List.of(claim("c-uid", "[]")),
                                List.of(),
                                _ -> false))
                .isEqualTo(
                        new PrepareDecision.Refused(
                                "DRA driver gpu.example.com is not registered"));
    }

    @Test
    void aDriverThatSkipsPrepareNeedNotBeRegistered() {
        var decision =
                PrepareDecision.decide(
                        NodeClaimStates.NONE,
                        pod(1),
                        List.of(claim("c-uid", "['*']")),
                        List.of(),
                        _ -> false);
        assertThat(decision)
                .isInstanceOfSatisfying(
                        PrepareDecision.Allowed.class, one -> assertThat(one.calls()).isEmpty());
        var half = allowed(NodeClaimStates.NONE, pod(1), claim("c-uid", "[NodePrepareResources]"));
        assertThat(half.calls()).isEmpty();
        assertThat(UnprepareDecision.decide(half.next(), POD_1).calls()).containsOnlyKeys(GPU);
    }

    @Test
    void anotherClaimOfTheSameNameHasToWait() {
        assertThat(refusal(prepared(), pod(1), claim("other-uid", "[]")))
                .isEqualTo(
                        "old ResourceClaim with same name c and different UID c-uid still exists"
                                + " (previous pod force-deleted?!)");
    }

    @Test
    void theLastPodReleasesTheClaimAndNoOtherMayUseIt() {
        var both = allowed(prepared(), pod(2), claim("c-uid", "[]")).next();
        var first = UnprepareDecision.decide(both, POD_1);
        assertThat(first.calls()).isEmpty();
        assertThat(first.released()).isEmpty();
        var last = UnprepareDecision.decide(first.next(), POD_2);
        assertThat(last.calls()).containsOnlyKeys(GPU);
        assertThat(last.released()).hasSize(1);
        assertThat(refusal(last.next(), pod(1), claim("c-uid", "[]")))
                .isEqualTo("ResourceClaim c is being unprepared");
        // The decision is repeated when the driver fails.
        assertThat(UnprepareDecision.decide(last.next(), POD_2).calls()).containsOnlyKeys(GPU);
        assertThat(UnprepareDecision.decide(NodeClaimStates.NONE, POD_2).released()).isEmpty();
    }

    @Test
    void containersGetTheDevicesTheyReference() {
        var claimStates = prepared();
        assertThat(ContainerDevices.ids(claimStates, pod(1), container(0)))
                .containsExactly("gpu.example.com/claim=a", "gpu.example.com/claim=b");
        assertThat(ContainerDevices.ids(claimStates, pod(1), container(1)))
                .containsExactly("gpu.example.com/claim=b");
        assertThat(ContainerDevices.ids(claimStates, pod(1), container(2))).isEmpty();
    }

    @Test
    void claimStatesAreStoredWithoutThePreparedPhase() throws IOException {
        var file = new ClaimStateFile(directory);
        assertThat(file.read()).isEqualTo(NodeClaimStates.NONE);
        file.write(prepared());
        var read = file.read();
        var claim = read.claims().values().iterator().next();
        assertThat(claim.phase()).isEqualTo(Phase.PREPARING);
        assertThat(read.with(claim.withPhase(Phase.PREPARED))).isEqualTo(prepared());
        assertThat(Files.readString(directory.resolve("dra_manager_state")))
                .startsWith("{\"Data\":\"{\\\"kind\\\":\\\"DRACheckpoint\\\"")
                .contains("\\\"PodUIDs\\\":{\\\"pod-1-uid\\\":{}}");
    }

    @Test
    void aDamagedStateFileIsRefused() throws IOException {
        var file = new ClaimStateFile(directory);
        file.write(prepared());
        var path = directory.resolve("dra_manager_state");
        Files.writeString(path, Files.readString(path).replace("pod-1-uid", "pod-2-uid"));
        assertThatThrownBy(file::read)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        path + " is damaged: its checksum is wrong. Drain the node");
    }

    private static NodeClaimStates prepared() {
        var allowed = allowed(NodeClaimStates.NONE, pod(1), claim("c-uid", "[]"));
        var claim =
                claimStates(allowed)
                        .withDevices(
                                GPU,
                                List.of(
                                        device("a", Optional.empty(), "one"),
                                        device("b", Optional.of("share-1"), "two")))
                        .withPhase(Phase.PREPARED);
        return allowed.next().with(claim);
    }

    private static PreparedDevice device(String name, Optional<String> share, String request) {
        return new PreparedDevice(
                "node-1", name, share, List.of(request), List.of("gpu.example.com/claim=" + name));
    }

    private static NodeClaimState claimStates(PrepareDecision.Allowed allowed) {
        return allowed.next().claims().values().iterator().next();
    }

    private static PrepareDecision.Allowed allowed(
            NodeClaimStates claimStates, Pod pod, ResourceClaim claim) {
        return switch (PrepareDecision.decide(
                claimStates, pod, List.of(claim), List.of(), Set.of(GPU)::contains)) {
            case PrepareDecision.Allowed allowed -> allowed;
            case PrepareDecision.Refused refused -> throw new AssertionError(refused);
        };
    }

    private static String refusal(NodeClaimStates claimStates, Pod pod, ResourceClaim claim) {
        return switch (PrepareDecision.decide(
                claimStates, pod, List.of(claim), List.of(), _ -> true)) {
            case PrepareDecision.Allowed allowed -> throw new AssertionError(allowed);
            case PrepareDecision.Refused(var reason) -> reason;
        };
    }

    private static Container container(int index) {
        return pod(1).spec().containers().get(index);
    }

    private static Pod pod(int number) {
        return new Codec()
                .readTree(
                        Kinds.POD,
                        tree(
                                """
                                metadata: {name: pod-%d, namespace: default, uid: pod-%d-uid}
                                spec:
                                  resourceClaims: [{name: gpus, resourceClaimName: c}]
                                  containers:
                                  - {name: a, resources: {claims: [{name: gpus}]}}
                                  - {name: b, resources: {claims: [{name: gpus, request: two}]}}
                                  - {name: c}
                                """
                                        .formatted(number, number)),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private static ResourceClaim claim(String uid, String skipped) {
        return read(
                uid,
                """
                reservedFor:
                - {resource: pods, name: pod-1, uid: pod-1-uid}
                - {resource: pods, name: pod-2, uid: pod-2-uid}
                allocation:
                  devices:
                    results:
                    - {request: one, driver: %s, pool: node-1, device: a, skipNodeOperations: %s}
                """
                        .formatted(GPU, skipped));
    }

    private static ResourceClaim withoutUsers() {
        return read("c-uid", "allocation: {devices: {}}");
    }

    private static ResourceClaim unallocated() {
        return read("c-uid", "reservedFor: [{resource: pods, name: pod-1, uid: pod-1-uid}]");
    }

    private static ResourceClaim read(String uid, String status) {
        return new Codec()
                .readTree(
                        Kinds.RESOURCE_CLAIM,
                        tree("metadata: {name: c, namespace: default, uid: %s}".formatted(uid))
                                .with("status", tree(status)),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
