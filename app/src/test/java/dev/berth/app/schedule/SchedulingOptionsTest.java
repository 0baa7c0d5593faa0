package dev.berth.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SchedulingOptionsTest {

    private static List<Profile> profiles(String... arguments) {
        return options(arguments).profiles();
    }

    private static SchedulerOptions options(String... arguments) {
        var options = new SchedulingOptions();
        var spec = CommandLine.Model.CommandSpec.create().addMixin("flags", commandSpec(options));
        var line = new CommandLine(spec).setCaseInsensitiveEnumValuesAllowed(true);
        line.parseArgs(arguments);
        return options.options(FeatureGates.defaults());
    }

    private static CommandLine.Model.CommandSpec commandSpec(SchedulingOptions options) {
        return CommandLine.Model.CommandSpec.forAnnotatedObject(options);
    }

    @Test
    void defaultProfileIsBerthWithTheKubernetesPolicy() {
        assertThat(profiles()).containsExactly(new Profile("berth", PlacementPolicy.KUBERNETES));
    }

    @Test
    void everyProfileHasItsPolicy() {
        assertThat(profiles("--policy", "pack", "--profile", "careful=spread"))
                .containsExactly(
                        new Profile("berth", PlacementPolicy.PACK),
                        new Profile("careful", PlacementPolicy.SPREAD));
    }

    @Test
    void policiesCanBeSequences() {
        assertThat(profiles("--policy", "aligned,kubernetes", "--profile", "dense=aligned,pack"))
                .extracting(profile -> profile.policy().toString())
                .containsExactly("aligned,kubernetes", "aligned,pack");
    }

    @Test
    void anUnknownPolicyIsAUsageErrorThatListsThePolicies() {
        assertThatThrownBy(() -> profiles("--policy", "fast"))
                .hasMessageContaining("\"fast\" is not one of")
                .hasMessageContaining("kubernetes, pack, aligned, spread");
        assertThatThrownBy(() -> profiles("--policy", "kubernetes,pack"))
                .hasMessageContaining("kubernetes can only be the last policy");
        assertThatThrownBy(() -> profiles("--policy", "pack,pack"))
                .hasMessageContaining("give each policy once");
    }

    @Test
    void aCommandCanHaveAnotherUsualPolicy() {
        var options = new SchedulingOptions();
        assertThat(options.options(FeatureGates.defaults(), PlacementPolicy.ALIGNED).profiles())
                .containsExactly(new Profile("berth", PlacementPolicy.ALIGNED));
    }

    @Test
    void bindingTimeoutDefaultsToTenMinutes() {
        assertThat(options().bindingTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options("--binding-timeout", "90").bindingTimeout())
                .isEqualTo(Duration.ofSeconds(90));
        assertThatThrownBy(() -> options("--binding-timeout", "0"))
                .hasMessageContaining("--binding-timeout")
                .hasMessageContaining("\"0\" is not a number of seconds from 1");
    }
}
