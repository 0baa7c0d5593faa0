package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ControllerTest {

    private static final Set<Controller> DEFAULT = Set.of(Controller.NODES, Controller.CLAIMS);

    @Test
    void namesIncludeAndMinusExcludes() {
        assertThat(Controller.choice("", () -> DEFAULT))
                .isEqualTo(new Controller.Choice.Chosen(DEFAULT));
        assertThat(Controller.choice("-node-lifecycle", () -> DEFAULT))
                .isEqualTo(new Controller.Choice.Chosen(Set.of(Controller.CLAIMS)));
        assertThat(Controller.choice("job", () -> DEFAULT))
                .isEqualTo(new Controller.Choice.Chosen(Set.of(Controller.JOBS)));
        assertThat(Controller.choice("*,-job", () -> DEFAULT))
                .isEqualTo(
                        new Controller.Choice.Chosen(
                                EnumSet.complementOf(EnumSet.of(Controller.JOBS))));
        assertThat(Controller.choice("nonsense", () -> DEFAULT))
                .isEqualTo(new Controller.Choice.Unknown("nonsense"));
    }

    @Test
    void defaultsAreNotEvaluatedForAnExplicitList() {
        Supplier<Set<Controller>> unknown =
                () -> {
                    throw new IllegalStateException("not needed");
                };
        assertThat(Controller.choice("job", unknown))
                .isEqualTo(new Controller.Choice.Chosen(Set.of(Controller.JOBS)));
        assertThat(Controller.choice("*", unknown))
                .isEqualTo(new Controller.Choice.Chosen(EnumSet.allOf(Controller.class)));
    }

    @Test
    void controllersWhoseGateIsOffAreIdle() {
        var options = ControlPlane.Options.defaults(without("DRADeviceTaintRules=false"));
        assertThat(options.idle())
                .containsExactly(entry(Controller.POOL_STATUS, Gate.DRA_RESOURCE_POOL_STATUS));
        assertThat(options.running())
                .contains(Controller.DEVICE_TAINT_EVICTION)
                .doesNotContain(Controller.POOL_STATUS);

        var untainted =
                ControlPlane.Options.defaults(
                        without("DRADeviceTaintRules=false", "DRADeviceTaints=false"));
        assertThat(untainted.idle())
                .containsEntry(Controller.DEVICE_TAINT_EVICTION, Gate.DRA_DEVICE_TAINTS);
    }

    private static FeatureGates without(String... settings) {
        return switch (FeatureGates.defaults().with(List.of(settings))) {
            case FeatureGates.Setting.Accepted(var gates) -> gates;
            case FeatureGates.Setting.Refused refused ->
                    throw new IllegalArgumentException(refused.toString());
        };
    }

    @Test
    void kubernetesLacksOnlySliceCleanup() {
        assertThat(Controller.missingInKubernetes()).containsExactly(Controller.SLICE_CLEANUP);
    }
}
