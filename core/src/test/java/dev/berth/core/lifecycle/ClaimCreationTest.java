package dev.berth.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.lifecycle.ClaimCreation.GroupClaims;
import dev.berth.core.lifecycle.ClaimCreation.Inputs;
import dev.berth.core.lifecycle.ClaimCreation.Step;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.claim.ResourceClaimTemplateSpec;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.PodClaimSource;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimCreationTest {

    private static final PodResourceClaim ENTRY =
            new PodResourceClaim("gpu", new PodClaimSource.TemplateName("t"));
    private static final ResourceClaimTemplate TEMPLATE =
            new ResourceClaimTemplate(
                    ObjectMeta.of("ns", "t"),
                    new ResourceClaimTemplateSpec(
                            ObjectMeta.EMPTY
                                    .withLabels(Map.of("l", "1"))
                                    .withAnnotations(Map.of("a", "2")),
                            ResourceClaimSpec.EMPTY));
    private static final ClaimCreation MAKING = new ClaimCreation(FeatureGates.defaults());

    private static ClaimOwner pod(PodResourceClaimStatus... statuses) {
        return new ClaimOwner(
                ClaimOwner.Type.POD,
                new ObjectRef("ns", "p"),
                new Uid("u"),
                List.of(ENTRY),
                List.of(statuses));
    }

    private static PodResourceClaimStatus said(String claim) {
        return new PodResourceClaimStatus("gpu", Optional.of(claim));
    }

    private static ResourceClaim owned(String name, ClaimOwner owner) {
        var metadata =
                ObjectMeta.of("ns", name)
                        .withAnnotations(Map.of(ClaimOwner.Type.POD.annotation(), "gpu"))
                        .withOwnerReferences(List.of(owner.reference()));
        return new ResourceClaim(metadata, ResourceClaimSpec.EMPTY, ResourceClaimStatus.EMPTY);
    }

    private static Inputs inputs(ResourceClaim... claims) {
        var byRef = new HashMap<ObjectRef, ResourceClaim>();
        for (var claim : claims) {
            byRef.put(claim.ref(), claim);
        }
        return new Inputs(byRef, List.of(claims), Map.of("t", TEMPLATE), GroupClaims.NONE);
    }

    @Test
    void newPodGetsAClaimOfItsTemplate() {
        var steps = MAKING.steps(pod(), inputs());

        assertThat(steps).hasSize(1);
        var claim = ((Step.Create) steps.getFirst()).claim();
        assertThat(claim.metadata().generateName()).isEqualTo("p-gpu-");
        assertThat(claim.metadata().labels()).containsEntry("l", "1");
        assertThat(claim.metadata().annotations())
                .containsEntry("a", "2")
                .containsEntry("resource.kubernetes.io/pod-claim-name", "gpu");
        assertThat(claim.metadata().ownerReferences()).containsExactly(pod().reference());
    }

    @Test
    void podWithItsClaimNeedsNothing() {
        assertThat(MAKING.steps(pod(said("c")), inputs(owned("c", pod())))).isEmpty();
    }

    @Test
    void claimOfAnotherOwnerIsNotAdopted() {
        var other =
                new ClaimOwner(
                        ClaimOwner.Type.POD,
                        new ObjectRef("ns", "p"),
                        new Uid("other"),
                        List.of(),
                        List.of());

        assertThat(MAKING.steps(pod(said("c")), inputs(owned("c", other))))
                .singleElement()
                .isInstanceOf(Step.Create.class);
    }

    @Test
    void orphanIsAdopted() {
        assertThat(MAKING.steps(pod(), inputs(owned("c", pod()))))
                .containsExactly(new Step.Adopt("gpu", "c"));
    }

    @Test
    void entryThatNeedsNoClaimIsSkipped() {
        var none = new PodResourceClaimStatus("gpu", Optional.empty());

        assertThat(MAKING.steps(pod(none), inputs())).isEmpty();
    }

    @Test
    void missingTemplateIsAnError() {
        var inputs = new Inputs(Map.of(), List.of(), Map.of(), GroupClaims.NONE);

        assertThat(MAKING.steps(pod(), inputs))
                .singleElement()
                .isInstanceOfSatisfying(
                        Step.Fail.class,
                        failed -> assertThat(failed.message()).contains("\"t\" not found"));
    }

    @Test
    void claimOfTheGroupIsAdoptedOnceItIsCreated() {
        var waiting =
                new Inputs(
                        Map.of(),
                        List.of(),
                        Map.of("t", TEMPLATE),
                        new GroupClaims(List.of(ENTRY), Map.of()));
        var there =
                new Inputs(
                        Map.of(),
                        List.of(),
                        Map.of("t", TEMPLATE),
                        new GroupClaims(List.of(ENTRY), Map.of("gpu", "g")));

        assertThat(MAKING.steps(pod(), waiting)).isEmpty();
        assertThat(MAKING.steps(pod(), there)).containsExactly(new Step.Adopt("gpu", "g"));
        assertThat(MAKING.steps(pod(said("g")), there)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "pod, gpu, " + "pod-gpu-",
        "ppppppppppppppppppppppppppppppppppppppppppppp, entry67890, "
                + "ppppppppppppppppppppppppppppppppppppppppppppp-entry67890-",
        "pppppppppppppppppppppppppppppppppppppppppppppp, entry67890, "
                + "ppppppppppppppppppppppppppppppppppppppppppppp-entry6789",
        "pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp, eeeeeeeeeeeeeeeeeeee, "
                + "ppppppppppppppppppppppppppppppppppppppppp-eeeeeeeeeeeee",
        "a, eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee, "
                + "-eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    })
    void longNamesAreCutInProportion(String pod, String entry, String expected) {
        assertThat(ClaimCreation.prefix(pod, entry)).isEqualTo(expected);
    }

    @Test
    void statusesAreSortedByEntry() {
        assertThat(ClaimCreation.statuses(pod(said("c")), Map.of("z", "3", "a", "1")))
                .extracting(PodResourceClaimStatus::name)
                .containsExactly("a", "gpu", "z");
    }
}
