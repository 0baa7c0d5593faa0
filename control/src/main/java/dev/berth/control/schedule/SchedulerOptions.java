package dev.berth.control.schedule;

import dev.berth.core.admission.FeatureGates;
import dev.berth.core.admission.Gate;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.schedule.NodePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/// How a scheduler is to work.
///
/// @param bindingPatience how long devices may take to be attached
/// @param shareIds a fresh id a call, for shares of devices
/// @param explains whether pods that wait are told why, beyond what Kubernetes says
/// @param pace how writes are made
public record SchedulerOptions(
        List<Profile> profiles,
        FeatureGates gates,
        Duration bindingTimeout,
        Supplier<String> shareIds,
        boolean explainsPending,
        WriteMode writeMode) {

    public static final String NAME = "berth";
    public static final String KUBERNETES_NAME = "default-scheduler";

    /// Pods that name a scheduler are placed by a policy.
    public record Profile(String schedulerName, NodePolicy policy) {}

    /// How writes are made.
    public enum WriteMode {
        /// Each in a thread of its own, while the next pods are decided.
        CONCURRENT,
        /// At once, by the thread that steps: the same inputs give the same writes.
        STEPWISE
    }

    public SchedulerOptions {
        profiles = List.copyOf(profiles);
    }

    /// Whether pods may use what was made for their group.
    static boolean groupsOwnClaims(FeatureGates gates) {
        return gates.enabled(Gate.GENERIC_WORKLOAD)
                && gates.enabled(Gate.DRA_WORKLOAD_RESOURCE_CLAIMS);
    }

    public static SchedulerOptions defaults() {
        return new SchedulerOptions(
                List.of(new Profile(NAME, NodePolicy.KUBERNETES)),
                FeatureGates.defaults(),
                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                () -> UUID.randomUUID().toString(),
                true,
                WriteMode.CONCURRENT);
    }

    /// For simulations.
    ///
    /// @param ids the same sequence for the same seed
    public SchedulerOptions stepwise(Supplier<String> ids) {
        return new SchedulerOptions(
                profiles, gates, bindingTimeout, ids, explainsPending, WriteMode.STEPWISE);
    }

    public SchedulerOptions withProfiles(List<Profile> changed) {
        return new SchedulerOptions(
                changed, gates, bindingTimeout, shareIds, explainsPending, writeMode);
    }

    /// All profiles by another policy.
    public SchedulerOptions withPolicy(NodePolicy policy) {
        return withProfiles(
                profiles.stream().map(p -> new Profile(p.schedulerName(), policy)).toList());
    }

    /// Also for the pods that do not say who is to place them, by the policy of the first profile.
    public SchedulerOptions withDefaultScheduler() {
        var more = new ArrayList<>(profiles);
        more.add(new Profile(KUBERNETES_NAME, profiles.getFirst().policy()));
        return withProfiles(more);
    }

    public SchedulerOptions withGates(FeatureGates changed) {
        return new SchedulerOptions(
                profiles, changed, bindingTimeout, shareIds, explainsPending, writeMode);
    }

    public SchedulerOptions withBindingTimeout(Duration changed) {
        return new SchedulerOptions(profiles, gates, changed, shareIds, explainsPending, writeMode);
    }

    public SchedulerOptions withoutExplanations() {
        return new SchedulerOptions(profiles, gates, bindingTimeout, shareIds, false, writeMode);
    }
}
