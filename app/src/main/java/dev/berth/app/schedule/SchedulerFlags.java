package dev.berth.app.schedule;

import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.schedule.NodePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// How to place pods, for every command that runs a scheduler.
public final class SchedulerFlags {

    @Option(
            names = "--scheduler-name",
            defaultValue = SchedulerOptions.NAME,
            paramLabel = "NAME",
            description = "Pods that name this scheduler are placed (default: ${DEFAULT-VALUE}).")
    private String name = SchedulerOptions.NAME;

    @Option(
            names = "--policy",
            defaultValue = "kubernetes",
            paramLabel = "POLICY",
            description = {
                "Which nodes and devices are preferred: ${COMPLETION-CANDIDATES}",
                "(default: ${DEFAULT-VALUE})."
            })
    private NodePolicy policy = NodePolicy.KUBERNETES;

    @Option(
            names = "--profile",
            paramLabel = "NAME=POLICY",
            description = "A further name by which pods ask for a policy; may be given again.")
    private Map<String, NodePolicy> profiles = new LinkedHashMap<>();

    @Option(
            names = "--binding-timeout",
            defaultValue = "600",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = {
                "How long devices may take to be attached before others are looked for; at least 1",
                "(default: ${DEFAULT-VALUE})."
            })
    private Duration bindingTimeout = ClaimInspection.BINDING_PATIENCE;

    /// A time that is no shorter than a second.
    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            var seconds = Long.parseLong(text);
            if (seconds < 1) {
                throw new TypeConversionException("give at least 1 second, not " + text);
            }
            return Duration.ofSeconds(seconds);
        }
    }

    /// The profiles of a scheduler.
    public SchedulerOptions options(FeatureGates gates) {
        var all = new ArrayList<Profile>();
        all.add(new Profile(name, policy));
        profiles.forEach((other, by) -> all.add(new Profile(other, by)));
        return SchedulerOptions.defaults()
                .withProfiles(all)
                .withGates(gates)
                .withBindingPatience(bindingTimeout);
    }
}
