package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodEventRecorderTest {

    @Test
    void outputOfContainersIsNotLogged() {
        for (var reason : new String[] {"Unhealthy", "FailedPostStartHook", "FailedPreStopHook"}) {
            assertThat(PodEventRecorder.logText(reason, "Liveness probe failed: hunter2"))
                    .isEqualTo(reason);
        }
        assertThat(PodEventRecorder.logText("Failed", "there is no image app:1"))
                .isEqualTo("Failed: there is no image app:1");
    }
}
