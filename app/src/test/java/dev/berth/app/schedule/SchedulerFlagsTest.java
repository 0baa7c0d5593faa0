package dev.berth.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.schedule.NodePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SchedulerFlagsTest {

    private static List<Profile> profiles(String... arguments) {
        var flags = new SchedulerFlags();
        var spec = CommandLine.Model.CommandSpec.create().addMixin("flags", flagsSpec(flags));
        var line = new CommandLine(spec).setCaseInsensitiveEnumValuesAllowed(true);
        line.parseArgs(arguments);
        return flags.options(FeatureGates.defaults()).profiles();
    }

    private static CommandLine.Model.CommandSpec flagsSpec(SchedulerFlags flags) {
        return CommandLine.Model.CommandSpec.forAnnotatedObject(flags);
    }

    @Test
    void berthIsTheNameAndKubernetesThePolicy() {
        assertThat(profiles()).containsExactly(new Profile("berth", NodePolicy.KUBERNETES));
    }

    @Test
    void everyProfileHasItsPolicy() {
        assertThat(profiles("--policy", "pack", "--profile", "careful=spread"))
                .containsExactly(
                        new Profile("berth", NodePolicy.PACK),
                        new Profile("careful", NodePolicy.SPREAD));
    }
}
