package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimulatedCommandTest {

    @Test
    void sleepSetsTheRunTime() {
        assertThat(length("Never", "sleep", "30")).contains(Duration.ofSeconds(30));
        assertThat(length("OnFailure", "sleep", "2m")).contains(Duration.ofMinutes(2));
        assertThat(length("Never", "bash", "-c", "nvidia-smi -L; sleep 5 && sleep 6"))
                .contains(Duration.ofSeconds(11));
    }

    @Test
    void sleepingForeverNeverEnds() {
        assertThat(length("Never", "sleep", "infinity")).isEmpty();
    }

    @Test
    void containersThatAlwaysRestartNeverEnd() {
        assertThat(length("Always", "sleep", "30")).isEmpty();
        assertThat(length("", "sleep", "30")).isEmpty();
    }

    @Test
    void otherCommandsEndAtOnce() {
        assertThat(length("Never", "nvidia-smi")).contains(Duration.ZERO);
    }

    @Test
    void aContainerWithoutCommandEndsOnlyForAJob() {
        assertThat(SimulatedCommand.of(container(), "Never", false).length()).isEmpty();
        assertThat(SimulatedCommand.of(container(), "Never", true).length())
                .contains(Duration.ZERO);
    }

    @Test
    void trailingExitSetsTheExitCode() {
        assertThat(SimulatedCommand.of(container("sh", "-c", "exit 3"), "Never", false).exitCode())
                .isEqualTo(3);
        var trapped = container("sh", "-c", "trap 'exit 1' TERM; sleep 9 & wait");
        assertThat(SimulatedCommand.of(trapped, "Never", false).exitCode()).isZero();
    }

    private static Optional<Duration> length(String policy, String... command) {
        return SimulatedCommand.of(container(command), policy, false).length();
    }

    private static JsonObject container(String... command) {
        return JsonObject.of("command", Json.array(Arrays.stream(command).map(Json::of).toList()));
    }
}
