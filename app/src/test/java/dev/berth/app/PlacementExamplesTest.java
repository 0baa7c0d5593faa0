package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The manifests of examples/placement show what their page says.
class PlacementExamplesTest {

    private static CommandRun plan(String example, String policy) {
        return CommandRun.of("plan", "-f", "../examples/placement/" + example, "--policy", policy);
    }

    @Test
    void packingOneGpuPodsLeavesANodeWhole() {
        assertThat(plan("whole-node", "pack").exitCode()).isZero();
        assertThat(plan("whole-node", "kubernetes").out()).contains("8 placed, 1 pending");
    }

    @Test
    void aShareCompletesAHalfUsedGpu() {
        assertThat(plan("half-used-gpu", "pack").out())
                .containsPattern("inference +node-2 .*node-2: gpu-1");
        assertThat(plan("half-used-gpu", "kubernetes").out()).containsPattern("inference +node-1 ");
    }

    @Test
    void alignedTrainingPodsLeaveANodeWhole() {
        var aligned = plan("aligned-training", "aligned");
        assertThat(aligned.exitCode()).isZero();
        assertThat(aligned.out())
                .containsPattern("trainer-0 +node-2 .*gpu-4 gpu-5, .*nic-4 nic-5")
                .containsPattern("training +node-3 ");
        assertThat(plan("aligned-training", "kubernetes").exitCode()).isEqualTo(1);
    }
}
