package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.Container;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.Strictness;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.Reading;
import dev.berth.model.json.YamlReader;
import dev.berth.node.agent.HeldClaim.Phase;
import dev.berth.node.agent.HeldClaim.ReadyDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is decided about pods and claims, and that it is remembered.
class AttachmentTest {

    private static final String GPU = "gpu.example.com";
    private static final Uid POD_1 = new Uid("pod-1-uid");
    private static final Uid POD_2 = new Uid("pod-2-uid");

    @TempDir private Path directory = Path.of("");

    @Test
    void aClaimIsAttachedAndItsDriverCalled() {
        var allowed = allowed(HeldClaims.NONE, pod(1), claim("c-uid", "[]"));
        assertThat(allowed.calls()).containsOnlyKeys(GPU);
        var held = held(allowed);
        assertThat(held.pods()).containsExactly(POD_1);
        assertThat(held.phase()).isEqualTo(Phase.ATTACHED);
    }

    @Test
    void aSecondPodOnlyAddsItself() {
        var prepared = prepared();
        var allowed = allowed(prepared, pod(2), claim("c-uid", "[]"));
        assertThat(allowed.calls()).isEmpty();
        assertThat(held(allowed).pods()).containsExactly(POD_1, POD_2);
    }

    @Test
    void whatIsNotForThePodIsRefused() {
        assertThat(refusal(HeldClaims.NONE, pod(1), withoutUsers()))
                .isEqualTo("pod pod-1 (pod-1-uid) is not allowed to use ResourceClaim c (c-uid)");
        assertThat(refusal(HeldClaims.NONE, pod(1), unallocated()))
                .isEqualTo("ResourceClaim c: not allocated");
        assertThat(
                        Attachment.decide(
                                HeldClaims.NONE,
                                pod(1),
                                List.of(claim("c-uid", "[]")),
                                List.of("c"),
                                _ -> true))
                .isEqualTo(new Attachment.Refused("ResourceClaim c was not created for pod pod-1"));
    }

    @Test
    void whatWasMadeForTheGroupIsForItsPods() {
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
                                Strictness.LENIENT)
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
                                Strictness.LENIENT)
                        .orThrow();
        var made = List.of("c");

        assertThat(Attachment.decide(HeldClaims.NONE, member, List.of(claim), made, _ -> true))
                .isInstanceOf(Attachment.Allowed.class);
        assertThat(Attachment.decide(HeldClaims.NONE, pod(1), List.of(claim), made, _ -> true))
                .isInstanceOf(Attachment.Refused.class);
    }

    @Test
    void withoutItsDriverAClaimWaits() {
        assertThat(
                        Attachment.decide(
                                HeldClaims.NONE,
                                pod(1),
                                List.of(claim("c-uid", "[]")),
                                List.of(),
                                _ -> false))
                .isEqualTo(new Attachment.Refused("DRA driver gpu.example.com is not registered"));
    }

    @Test
    void aDriverThatNeedsNoCallNeedNotBeThere() {
        var decision =
                Attachment.decide(
                        HeldClaims.NONE,
                        pod(1),
                        List.of(claim("c-uid", "['*']")),
                        List.of(),
                        _ -> false);
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Attachment.Allowed.class, one -> assertThat(one.calls()).isEmpty());
        var half = allowed(HeldClaims.NONE, pod(1), claim("c-uid", "[NodePrepareResources]"));
        assertThat(half.calls()).isEmpty();
        assertThat(Detachment.decide(half.next(), POD_1).calls()).containsOnlyKeys(GPU);
    }

    @Test
    void anotherClaimOfTheSameNameHasToWait() {
        assertThat(refusal(prepared(), pod(1), claim("other-uid", "[]")))
                .isEqualTo(
                        "old ResourceClaim with same name c and different UID c-uid still exists"
                                + " (previous pod force-deleted?!)");
    }

    @Test
    void theLastPodReleasesTheClaimAndNobodyBeginsToUseIt() {
        var both = allowed(prepared(), pod(2), claim("c-uid", "[]")).next();
        var first = Detachment.decide(both, POD_1);
        assertThat(first.calls()).isEmpty();
        assertThat(first.released()).isEmpty();
        var last = Detachment.decide(first.next(), POD_2);
        assertThat(last.calls()).containsOnlyKeys(GPU);
        assertThat(last.released()).hasSize(1);
        assertThat(refusal(last.next(), pod(1), claim("c-uid", "[]")))
                .isEqualTo("ResourceClaim c is being unprepared");
        // It is decided again when the driver fails.
        assertThat(Detachment.decide(last.next(), POD_2).calls()).containsOnlyKeys(GPU);
        assertThat(Detachment.decide(HeldClaims.NONE, POD_2).released()).isEmpty();
    }

    @Test
    void containersGetWhatTheyName() {
        var held = prepared();
        assertThat(ContainerDevices.ids(held, pod(1), container(0)))
                .containsExactly("gpu.example.com/claim=a", "gpu.example.com/claim=b");
        assertThat(ContainerDevices.ids(held, pod(1), container(1)))
                .containsExactly("gpu.example.com/claim=b");
        assertThat(ContainerDevices.ids(held, pod(1), container(2))).isEmpty();
    }

    @Test
    void whatIsHeldIsRememberedExceptThatItIsPrepared() throws IOException {
        var file = new HeldClaimsFile(directory);
        assertThat(file.read()).isEqualTo(HeldClaims.NONE);
        file.write(prepared());
        var read = file.read();
        var claim = read.claims().values().iterator().next();
        assertThat(claim.phase()).isEqualTo(Phase.ATTACHED);
        assertThat(read.with(claim.withPhase(Phase.PREPARED))).isEqualTo(prepared());
        assertThat(Files.readString(directory.resolve("dra_manager_state")))
                .startsWith("{\"Data\":\"{\\\"kind\\\":\\\"DRACheckpoint\\\"")
                .contains("\\\"PodUIDs\\\":{\\\"pod-1-uid\\\":{}}");
    }

    @Test
    void aDamagedFileIsNotBelieved() throws IOException {
        var file = new HeldClaimsFile(directory);
        file.write(prepared());
        var path = directory.resolve("dra_manager_state");
        Files.writeString(path, Files.readString(path).replace("pod-1-uid", "pod-2-uid"));
        assertThatThrownBy(file::read)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        path + " is damaged: its checksum is wrong. Drain the node");
    }

    private static HeldClaims prepared() {
        var allowed = allowed(HeldClaims.NONE, pod(1), claim("c-uid", "[]"));
        var claim =
                held(allowed)
                        .withDevices(
                                GPU,
                                List.of(
                                        device("a", Optional.empty(), "one"),
                                        device("b", Optional.of("share-1"), "two")))
                        .withPhase(Phase.PREPARED);
        return allowed.next().with(claim);
    }

    private static ReadyDevice device(String name, Optional<String> share, String request) {
        return new ReadyDevice(
                "node-1", name, share, List.of(request), List.of("gpu.example.com/claim=" + name));
    }

    private static HeldClaim held(Attachment.Allowed allowed) {
        return allowed.next().claims().values().iterator().next();
    }

    private static Attachment.Allowed allowed(HeldClaims held, Pod pod, ResourceClaim claim) {
        return switch (Attachment.decide(
                held, pod, List.of(claim), List.of(), Set.of(GPU)::contains)) {
            case Attachment.Allowed allowed -> allowed;
            case Attachment.Refused refused -> throw new AssertionError(refused);
        };
    }

    private static String refusal(HeldClaims held, Pod pod, ResourceClaim claim) {
        return switch (Attachment.decide(held, pod, List.of(claim), List.of(), _ -> true)) {
            case Attachment.Allowed allowed -> throw new AssertionError(allowed);
            case Attachment.Refused(var reason) -> reason;
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
                        Strictness.LENIENT)
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
                        Strictness.LENIENT)
                .orThrow();
    }

    private static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof Reading.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
