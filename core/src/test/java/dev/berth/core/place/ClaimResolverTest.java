package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.ClaimResolver.GeneratedClaims;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClaimResolverTest {

    /// The two treatments of generated claims.
    enum Mode {
        LIVE,
        PLAN
    }

    private static final String DIRECT = "{name: gpu, resourceClaimName: shared}";
    private static final String TEMPLATE = "{name: gpu, resourceClaimTemplateName: one}";
    private static final String STATUS =
            "resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-x}]";
    private static final String OWNED_BY_POD =
            "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u-%s, controller: true}]";
    private static final String OWNED_BY_GROUP =
            """
            ownerReferences: [{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, name: g,
              uid: g-1, controller: true}]
            """;
    private static final String IN_GROUP = "schedulingGroup: {podGroupName: g}";
    private static final ResourceClaimTemplate ONE =
            (ResourceClaimTemplate)
                    read(
                            """
                            {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate,
                             metadata: {namespace: default, name: one},
                             spec: {metadata: {labels: {l: a}},
                               spec: {devices: {requests: [{name: r, exactly: {
                                 deviceClassName: gpu, allocationMode: ExactCount, count: 2}}]}}}}
                            """);

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aClaimIsFoundByName(Mode mode) {
        var request = ready(resolve(mode, pod(DIRECT, "", ""), claim("shared", "", "")));

        assertThat(names(request.toAllocate())).containsExactly("shared");
        assertThat(request.allocated()).isEmpty();
        assertThat(request.groupClaims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void allocatedClaimsAreSeparated(Mode mode) {
        var pod =
                pod(
                        "{name: a, resourceClaimName: free}, "
                                + DIRECT
                                + ", {name: z,"
                                + " resourceClaimName: last}",
                        "",
                        "");

        var request =
                ready(
                        resolve(
                                mode,
                                pod,
                                claim("shared", "", "allocation: {devices: {results: []}}"),
                                claim("last", "", ""),
                                claim("free", "", "")));

        assertThat(names(request.allocated())).containsExactly("shared");
        assertThat(names(request.toAllocate())).containsExactly("free", "last");
        assertThat(names(request.claims())).containsExactly("shared", "free", "last");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void twoEntriesWithOneClaimRequestItOnce(Mode mode) {
        var pod = pod(DIRECT + ", {name: again, resourceClaimName: shared}", "", "");

        assertThat(names(ready(resolve(mode, pod, claim("shared", "", ""))).claims()))
                .containsExactly("shared");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aPodWaitsForItsClaim(Mode mode) {
        assertThat(resolve(mode, pod(DIRECT, "", "")))
                .isEqualTo(blocked("could not find ResourceClaim \"default/shared\""));
        assertThat(resolve(mode, pod(TEMPLATE, "", STATUS)))
                .isEqualTo(blocked("could not find ResourceClaim \"default/pod-gpu-x\""));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aPendingPodCannotUseAClaimThatIsBeingDeleted(Mode mode) {
        var deleting = claim("shared", "deletionTimestamp: '2026-07-01T12:00:00Z'", "");

        assertThat(resolve(mode, pod(DIRECT, "", ""), deleting))
                .isEqualTo(blocked("resourceclaim \"shared\" is being deleted"));
        assertThat(ready(resolve(mode, pod(DIRECT, "nodeName: node-1", ""), deleting)).claims())
                .containsExactly(deleting);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aGeneratedClaimIsFoundByThePodStatus(Mode mode) {
        var claim = claim("pod-gpu-x", OWNED_BY_POD.formatted("1"), "");

        assertThat(ready(resolve(mode, pod(TEMPLATE, "", STATUS), claim)).toAllocate())
                .containsExactly(claim);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anEntryThatNeedsNoClaimIsSkipped(Mode mode) {
        var pod = pod(TEMPLATE, "", "resourceClaimStatuses: [{name: gpu}]");

        assertThat(ready(resolve(mode, pod)).claims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anEntryWithoutAKnownSourceBlocksThePod(Mode mode) {
        assertThat(resolve(mode, pod("{name: gpu}", "", "")))
                .isEqualTo(
                        blocked(
                                "pod \"default/pod\", spec.resourceClaim gpu: none of the supported"
                                        + " fields are set"));
    }

    @Test
    void inALiveClusterAPodWaitsForTheControllerToCreateItsClaim() {
        assertThat(resolve(Mode.LIVE, pod(TEMPLATE, "", "")))
                .isEqualTo(blocked("pod \"default/pod\": ResourceClaim not created yet"));
    }

    @Test
    void inAPlanTheTemplateIsInstantiated() {
        var pod = pod(TEMPLATE, "", "");

        var claim = ready(resolve(Mode.PLAN, pod)).toAllocate().getFirst();

        assertThat(claim.spec()).isEqualTo(ONE.spec().spec());
        assertThat(claim.metadata().name()).startsWith("pod-gpu-").hasSize("pod-gpu-".length() + 5);
        assertThat(claim.metadata().generateName()).isEqualTo("pod-gpu-");
        assertThat(claim.metadata().labels()).containsEntry("l", "a");
        assertThat(claim.metadata().controller().orElseThrow().uid()).isEqualTo(new Uid("u-1"));
        assertThat(ready(resolve(Mode.PLAN, pod)).toAllocate()).containsExactly(claim);
    }

    @Test
    void inAPlanTwoEntriesWithOneTemplateAreTwoClaims() {
        var pod = pod(TEMPLATE + ", {name: second, resourceClaimTemplateName: one}", "", "");

        assertThat(ready(resolve(Mode.PLAN, pod)).toAllocate()).hasSize(2);
    }

    @Test
    void inAPlanAMissingTemplateBlocksThePod() {
        var pod = pod("{name: gpu, resourceClaimTemplateName: none}", "", "");

        assertThat(resolve(Mode.PLAN, pod))
                .isEqualTo(blocked("could not find ResourceClaimTemplate \"default/none\""));
    }

    @Test
    void aClaimGeneratedForAnotherPodIsRejectedInALiveCluster() {
        var other = claim("pod-gpu-x", OWNED_BY_POD.formatted("2"), "");
        var ownerless = claim("pod-gpu-x", "", "");
        var pod = pod(TEMPLATE, "", STATUS);
        var notOwner =
                blocked(
                        "ResourceClaim default/pod-gpu-x was not created for Pod default/pod (Pod"
                                + " is not owner)");

        assertThat(resolve(Mode.LIVE, pod, other)).isEqualTo(notOwner);
        assertThat(resolve(Mode.LIVE, pod, ownerless)).isEqualTo(notOwner);
        // Manifests have no UIDs.
        assertThat(ready(resolve(Mode.PLAN, pod, other)).claims()).containsExactly(other);
        assertThat(ready(resolve(Mode.PLAN, pod, ownerless)).claims()).containsExactly(ownerless);
    }

    @Test
    void anEntryOfTheGroupIsReservedForTheGroup() {
        var pod = pod(DIRECT + ", {name: own, resourceClaimName: mine}", IN_GROUP, "");
        var claims = List.of(claim("shared", "", ""), claim("mine", "", ""));

        var request = ready(live(claims, Optional.of(group(DIRECT)), true).resolve(pod));

        assertThat(request.groupClaims())
                .containsOnlyKeys(new ObjectRef("default", "shared"))
                .containsValue(ConsumerReference.podGroup("g", new Uid("g-1")));
    }

    @Test
    void aPodMayUseTheGeneratedClaimOfItsGroup() {
        var claims = List.of(claim("pod-gpu-x", OWNED_BY_GROUP, ""));
        var pod = pod(TEMPLATE, IN_GROUP, STATUS);
        var group = Optional.of(group(TEMPLATE));

        assertThat(ready(live(claims, group, true).resolve(pod)).groupClaims())
                .containsOnlyKeys(new ObjectRef("default", "pod-gpu-x"));
        assertThat(live(claims, group, false).resolve(pod))
                .isInstanceOf(PreFilterResult.Blocked.class);
        assertThat(live(claims, group, true).resolve(pod(TEMPLATE, "", STATUS)))
                .isInstanceOf(PreFilterResult.Blocked.class);
    }

    @Test
    void aPodWithClaimsWaitsForItsGroup() {
        var claims = List.of(claim("shared", "", ""));
        var resolver = live(claims, Optional.empty(), true);

        assertThat(resolver.resolve(pod(DIRECT, IN_GROUP, "")))
                .isEqualTo(blocked("pod \"default/pod\": PodGroup \"g\" not created yet"));
        assertThat(ready(resolver.resolve(pod("", IN_GROUP, ""))).claims()).isEmpty();
        assertThat(
                        ready(
                                        live(claims, Optional.empty(), false)
                                                .resolve(pod(DIRECT, IN_GROUP, "")))
                                .groupClaims())
                .isEmpty();
    }

    private static PreFilterResult resolve(Mode mode, Pod pod, ResourceClaim... claims) {
        return switch (mode) {
            case LIVE -> live(List.of(claims), Optional.empty(), false).resolve(pod);
            case PLAN ->
                    ClaimResolver.instantiating(
                                    ref -> find(List.of(claims), ref),
                                    GeneratedClaims.Instantiated.from(List.of(ONE)))
                            .resolve(pod);
        };
    }

    private static ClaimResolver live(
            List<ResourceClaim> claims, Optional<PodGroup> group, boolean groupsOwnClaims) {
        return ClaimResolver.awaiting(
                ref -> find(claims, ref),
                ref -> group.filter(one -> one.ref().equals(ref)),
                groupsOwnClaims);
    }

    private static Optional<ResourceClaim> find(List<ResourceClaim> claims, ObjectRef ref) {
        return claims.stream().filter(claim -> claim.ref().equals(ref)).findFirst();
    }

    private static PlacementRequest ready(PreFilterResult result) {
        assertThat(result).isInstanceOf(PreFilterResult.Ready.class);
        return ((PreFilterResult.Ready) result).request();
    }

    private static PreFilterResult blocked(String reason) {
        return new PreFilterResult.Blocked(reason);
    }

    private static Stream<String> names(List<ResourceClaim> claims) {
        return claims.stream().map(claim -> claim.metadata().name());
    }

    private static Pod pod(String entries, String spec, String status) {
        return (Pod)
                read(
                        """
                        {apiVersion: v1, kind: Pod,
                         metadata: {namespace: default, name: pod, uid: u-1},
                         spec: {containers: [{name: c}], resourceClaims: [%s], %s}, status: {%s}}
                        """
                                .formatted(entries, spec, status));
    }

    private static ResourceClaim claim(String name, String metadata, String status) {
        return (ResourceClaim)
                read(
                        """
                        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                         metadata: {namespace: default, name: %s, %s}, spec: {}, status: {%s}}
                        """
                                .formatted(name, metadata, status));
    }

    private static PodGroup group(String entries) {
        return (PodGroup)
                read(
                        """
                        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup,
                         metadata: {namespace: default, name: g, uid: g-1},
                         spec: {resourceClaims: [%s]}}
                        """
                                .formatted(entries));
    }

    private static KubernetesObject read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow();
    }
}
