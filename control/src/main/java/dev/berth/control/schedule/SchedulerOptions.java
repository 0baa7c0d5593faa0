package dev.berth.control.schedule;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.metrics.MetricsRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/// Options of a scheduler.
///
/// @param bindingTimeout timeout of binding conditions
/// @param shareIds generates a new share ID per call
/// @param explainsPending whether pending pods get an explanation in addition to the message of
///   kube-scheduler
/// @param writeMode how writes are executed
/// @param metrics the registry of the process
public record SchedulerOptions(
        List<Profile> profiles,
        FeatureGates gates,
        Duration bindingTimeout,
        Supplier<String> shareIds,
        boolean explainsPending,
        WriteMode writeMode,
        MetricsRegistry metrics) {

    public static final String NAME = "berth";
    public static final String KUBERNETES_NAME = "default-scheduler";

    /// The policy for pods with this `schedulerName`.
    public record Profile(String schedulerName, PlacementPolicy policy) {}

    /// How writes are executed.
    public enum WriteMode {
        /// On virtual threads, while the next pods are scheduled.
        CONCURRENT,
        /// Inline on the stepping thread: the same inputs give the same writes.
        STEPWISE
    }

    public SchedulerOptions {
        profiles = List.copyOf(profiles);
    }

    /// Whether pods may use claims of their PodGroup.
    static boolean groupsOwnClaims(FeatureGates gates) {
        return gates.enabled(Gate.GENERIC_WORKLOAD)
                && gates.enabled(Gate.DRA_WORKLOAD_RESOURCE_CLAIMS);
    }

    public static SchedulerOptions defaults() {
        return new SchedulerOptions(
                List.of(new Profile(NAME, PlacementPolicy.KUBERNETES)),
                FeatureGates.defaults(),
                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                () -> UUID.randomUUID().toString(),
                true,
                WriteMode.CONCURRENT,
                MetricsRegistry.off());
    }

    /// Options for deterministic simulations.
    ///
    /// @param ids a reproducible sequence of IDs
    public SchedulerOptions stepwise(Supplier<String> ids) {
        return new SchedulerOptions(
                profiles, gates, bindingTimeout, ids, explainsPending, WriteMode.STEPWISE, metrics);
    }

    public SchedulerOptions withProfiles(List<Profile> changed) {
        return new SchedulerOptions(
                changed, gates, bindingTimeout, shareIds, explainsPending, writeMode, metrics);
    }

    /// The same with another policy for all profiles.
    public SchedulerOptions withPolicy(PlacementPolicy policy) {
        return withProfiles(
                profiles.stream().map(p -> new Profile(p.schedulerName(), policy)).toList());
    }

    /// The same with a profile for pods of `default-scheduler`, with the policy of the first
    /// profile.
    public SchedulerOptions withDefaultScheduler() {
        var more = new ArrayList<>(profiles);
        more.add(new Profile(KUBERNETES_NAME, profiles.getFirst().policy()));
        return withProfiles(more);
    }

    public SchedulerOptions withGates(FeatureGates changed) {
        return new SchedulerOptions(
                profiles, changed, bindingTimeout, shareIds, explainsPending, writeMode, metrics);
    }

    public SchedulerOptions withBindingTimeout(Duration changed) {
        return new SchedulerOptions(
                profiles, gates, changed, shareIds, explainsPending, writeMode, metrics);
    }

    public SchedulerOptions withoutExplanations() {
        return new SchedulerOptions(
                profiles, gates, bindingTimeout, shareIds, false, writeMode, metrics);
    }

    /// The same with metrics in a registry; by default nothing is measured.
    public SchedulerOptions withMetrics(MetricsRegistry registry) {
        return new SchedulerOptions(
                profiles, gates, bindingTimeout, shareIds, explainsPending, writeMode, registry);
    }
}
