package dev.berth.core.place.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.AffinityTerm;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.quantity.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Rules that every node filter follows.
class NodeFiltersTest {

    private static final ObjectRef CLAIM = new ObjectRef("default", "c");
    private static final TopologyDomain ZONE = new TopologyDomain("zone", "a");
    private static final AffinityTerm TERM =
            new AffinityTerm(List.of("default"), Optional.empty(), Optional.empty(), "zone");

    /// One rejection of each kind.
    private static final List<Rejection> REJECTIONS =
            List.of(
                    new NodeUnschedulableFilter.Unschedulable(),
                    new NodeNameFilter.NodeNameMismatch("n"),
                    new TaintTolerationFilter.UntoleratedTaint(
                            new NodeTaint(
                                    "k", "v", NodeTaintEffect.Known.NO_SCHEDULE, Optional.empty())),
                    new NodeAffinityFilter.NodeAffinityMismatch(Optional.empty()),
                    new NodePortsFilter.PortTaken(80),
                    new NodeResourcesFitFilter.Insufficient(
                            "cpu", Quantity.of(2), Quantity.of(1), Quantity.of(4)),
                    new VolumeRestrictionsFilter.VolumeInUse(CLAIM),
                    new VolumeBindingFilter.VolumeNodeAffinityMismatch("v"),
                    new VolumeBindingFilter.NoVolumeToBind(CLAIM),
                    new VolumeZoneFilter.VolumeZoneMismatch("v"),
                    new PodTopologySpreadFilter.TopologySkewExceeded(ZONE, 3, 1, 1),
                    new PodTopologySpreadFilter.TopologyLabelMissing("zone"),
                    new InterPodAffinityFilter.PodAffinityNotMet(
                            "zone", Optional.of(ZONE), List.of(TERM)),
                    new InterPodAffinityFilter.PodAntiAffinityViolated(ZONE, TERM, 1),
                    new InterPodAffinityFilter.ExistingAntiAffinityViolated(ZONE, 2),
                    new DynamicResourcesFilter.ClaimNotOnNode(CLAIM),
                    new DynamicResourcesFilter.NodeOperationsNotSkippable(
                            CLAIM, new DeviceId("d", "p", "g")));

    @Test
    void theOrderIsThatOfKubeScheduler() {
        assertThat(NodeFilters.ALL)
                .extracting(NodeFilter::name)
                .containsExactly(
                        "NodeUnschedulable",
                        "NodeName",
                        "TaintToleration",
                        "NodeAffinity",
                        "NodePorts",
                        "NodeResourcesFit",
                        "VolumeRestrictions",
                        "VolumeBinding",
                        "VolumeZone",
                        "PodTopologySpread",
                        "InterPodAffinity",
                        "DynamicResources");
    }

    @Test
    void everyRejectionHasItsTextsAndEvents() {
        for (var filter : NodeFilters.ALL) {
            for (var type : filter.getClass().getDeclaredClasses()) {
                if (Rejection.class.isAssignableFrom(type) && type.isRecord()) {
                    assertThat(REJECTIONS).as(type.getName()).hasAtLeastOneElementOfType(type);
                }
            }
            assertThat(Arrays.stream(filter.getClass().getDeclaredClasses()))
                    .as("%s declares its rejections", filter.name())
                    .anyMatch(Rejection.class::isAssignableFrom);
        }
        for (var rejection : REJECTIONS) {
            assertThat(rejection.text()).as("%s", rejection).isNotBlank();
            assertThat(rejection.description()).as("%s", rejection).isNotBlank();
            assertThat(rejection.rule()).as("%s", rejection).isNotBlank();
            // A changed node can remove every rejection.
            assertThat(rejection.requeueOn()).as("%s", rejection).contains(ClusterEvent.NODE);
        }
    }

    @Test
    void onlyTheNodeNameHasNoRemedy() {
        assertThat(REJECTIONS)
                .filteredOn(rejection -> rejection.remedy().isEmpty())
                .containsExactly(new NodeNameFilter.NodeNameMismatch("n"));
    }
}
