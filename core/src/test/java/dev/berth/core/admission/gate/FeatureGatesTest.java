package dev.berth.core.admission.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.CelFeatures;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureGatesTest {

    @Test
    void defaultsAreThoseOfTheRelease() {
        var gates = FeatureGates.defaults();
        assertThat(gates.enabled(Gate.DRA_DEVICE_TAINTS)).isTrue();
        assertThat(gates.enabled(Gate.DRA_WORKLOAD_RESOURCE_CLAIMS)).isFalse();
        assertThat(gates.enabled(Gate.DRA_LIST_TYPE_ATTRIBUTES)).isFalse();
        assertThat(gates.cel()).isEqualTo(new CelFeatures(true, false));
    }

    @Test
    void fractionalRangesAreOnOnlyWithoutOlderVersions() {
        var gate = Gate.DRA_FRACTIONAL_CAPACITY_RANGE;
        assertThat(FeatureGates.defaults().enabled(gate)).isFalse();
        assertThat(FeatureGates.defaultsCompatibleWith(37).enabled(gate)).isTrue();
    }

    @Test
    void defaultsSatisfyDependencies() {
        assertThat(FeatureGates.defaults().with(List.of()))
                .isEqualTo(new FeatureGates.Setting.Accepted(FeatureGates.defaults()));
        assertThat(FeatureGates.all().with(List.of()))
                .isEqualTo(new FeatureGates.Setting.Accepted(FeatureGates.all()));
    }

    @Test
    void gatesAreSetByName() {
        var gates = accepted("DRAListTypeAttributes=true", "DRADeviceTaintRules=false");
        assertThat(gates.enabled(Gate.DRA_LIST_TYPE_ATTRIBUTES)).isTrue();
        assertThat(gates.enabled(Gate.DRA_DEVICE_TAINT_RULES)).isFalse();
        assertThat(gates.cel().listAttributes()).isTrue();
    }

    @Test
    void stageSetsAllGatesNotSetByName() {
        var gates = accepted("AllAlpha=true", "DRADerivedAttributes=false");
        assertThat(gates.enabled(Gate.DRA_OPTIONAL_NODE_OPERATIONS)).isTrue();
        assertThat(gates.enabled(Gate.DRA_DERIVED_ATTRIBUTES)).isFalse();
    }

    @Test
    void unknownGateIsRejected() {
        assertThat(rejected("DRAMagic=true"))
                .singleElement()
                .asString()
                .startsWith("unrecognized feature gate: DRAMagic; known are DRAAdminAccess, ");
    }

    @Test
    void lockedGateCannotBeChanged() {
        assertThat(rejected("DRAAdminAccess=false"))
                .containsExactly(
                        "cannot set feature gate DRAAdminAccess to false, feature is locked to"
                                + " true");
        assertThat(accepted("DRAAdminAccess=true")).isEqualTo(FeatureGates.defaults());
    }

    @Test
    void enabledGateRequiresItsDependencies() {
        assertThat(rejected("DRADeviceTaints=false"))
                .containsExactly(
                        "feature gate DRADeviceTaintRules is on, but it needs DRADeviceTaints, "
                                + "which is off");
    }

    @Test
    void settingIsTrueOrFalse() {
        assertThat(rejected("DRADeviceTaints"))
                .containsExactly(
                        "feature gate setting \"DRADeviceTaints\": write name=true or name=false");
    }

    private static FeatureGates accepted(String... settings) {
        return ((FeatureGates.Setting.Accepted) FeatureGates.defaults().with(List.of(settings)))
                .gates();
    }

    private static List<String> rejected(String... settings) {
        return ((FeatureGates.Setting.Refused) FeatureGates.defaults().with(List.of(settings)))
                .problems();
    }
}
