package dev.berth.app.schedule;

import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.schedule.ClaimInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Scheduler options of all commands that run a scheduler.
public final class SchedulingOptions {

    @Option(
            names = "--scheduler-name",
            defaultValue = SchedulerOptions.NAME,
            paramLabel = "NAME",
            description = "Scheduler name of the pods to schedule.")
    private String name = SchedulerOptions.NAME;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            converter = PolicyConverter.class,
            completionCandidates = PolicyNames.class,
            description =
                    "Preferred nodes and devices: a policy, or several in order as in aligned,pack"
                            + " (default: kubernetes; berth up: aligned).")
    private Optional<PlacementPolicy> policy = Optional.empty();

    @Option(
            names = "--profile",
            paramLabel = "NAME=POLICY",
            converter = {SchedulerNameConverter.class, PolicyConverter.class},
            description = "Another scheduler name with its own policy. Repeatable.")
    private Map<String, PlacementPolicy> profiles = new LinkedHashMap<>();

    @Option(
            names = "--binding-timeout",
            defaultValue = "600",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description =
                    "Timeout in seconds for device binding conditions (default: ${DEFAULT-VALUE},"
                            + " minimum: 1).")
    private Duration bindingTimeout = ClaimInspection.DEFAULT_BINDING_TIMEOUT;

    /// Takes a scheduler name as written.
    static final class SchedulerNameConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return text;
        }
    }

    /// Parses a duration of at least one second.
    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.matches("[0-9]{1,9}") || Long.parseLong(text) < 1) {
                throw new TypeConversionException(
                        "\"%s\" is not a number of seconds from 1".formatted(text));
            }
            return Duration.ofSeconds(Long.parseLong(text));
        }
    }

    /// The options of a scheduler with its profiles, by default with the policy of Kubernetes.
    public SchedulerOptions options(FeatureGates gates) {
        return options(gates, PlacementPolicy.KUBERNETES);
    }

    /// The options of a scheduler with its profiles.
    ///
    /// @param usual the policy without `--policy`
    public SchedulerOptions options(FeatureGates gates, PlacementPolicy usual) {
        var all = new ArrayList<Profile>();
        all.add(new Profile(name, policy.orElse(usual)));
        profiles.forEach((other, by) -> all.add(new Profile(other, by)));
        return SchedulerOptions.defaults()
                .withProfiles(all)
                .withGates(gates)
                .withBindingTimeout(bindingTimeout);
    }
}
