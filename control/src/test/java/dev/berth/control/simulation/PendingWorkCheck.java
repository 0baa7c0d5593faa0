package dev.berth.control.simulation;

import dev.berth.client.ResourcePath;
import dev.berth.core.lifecycle.DeviceEviction;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.core.lifecycle.PoolStatusReport;
import dev.berth.core.lifecycle.TaintRuleConditions;
import dev.berth.core.lifecycle.TaintRuleImpact;
import dev.berth.core.workload.JobRules;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.codec.Kinds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Checks that controllers have no work left once they have received all events: the decisions for
/// the current state must all be executed.
final class PendingWorkCheck {

    private final SimulationEnvironment environment;
    private final Instant now;
    private final List<Pod> pods;
    private final List<ResourceClaim> claims;
    private final List<ResourceSlice> slices;
    private final List<DeviceTaintRule> rules;

    PendingWorkCheck(SimulationEnvironment environment) {
        this.environment = environment;
        now = environment.clock.instant();
        pods = environment.read(Kinds.POD);
        claims = environment.read(Kinds.RESOURCE_CLAIM);
        slices = environment.read(Kinds.RESOURCE_SLICE);
        rules = environment.read(Kinds.DEVICE_TAINT_RULE);
    }

    /// The first piece of outstanding work, if there is one.
    Optional<String> outstanding() {
        return evictions()
                .or(this::statuses)
                .or(this::poolStatuses)
                .or(this::replicas)
                .or(this::jobs);
    }

    private Optional<String> evictions() {
        var eviction = new DeviceEviction(this::taints, rules);
        for (var pod : pods) {
            var decision = eviction.of(pod, this::claim).filter(one -> !one.at().isAfter(now));
            if (decision.isPresent()) {
                return Optional.of(
                        "pod %s is not evicted in spite of %s"
                                .formatted(pod.ref(), decision.get().causes()));
            }
        }
        return Optional.empty();
    }

    private List<DeviceTaint> taints(DeviceId id) {
        var pool = slices.stream().filter(one -> one.poolId().equals(id.poolId())).toList();
        return PoolStatusReport.newestOf(pool).stream()
                .flatMap(slice -> slice.spec().devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .flatMap(device -> device.taints().stream())
                .toList();
    }

    private Optional<ResourceClaim> claim(ObjectRef ref) {
        return claims.stream().filter(one -> one.ref().equals(ref)).findFirst();
    }

    private Optional<String> statuses() {
        for (var rule : rules) {
            var pending = TaintRuleImpact.of(rule, slices, claims, pods, this::claim, 0).pods() > 0;
            var evicts = rule.spec().taint().effect() == TaintEffect.Known.NO_EXECUTE;
            var saysSo = rule.conditions().stream().anyMatch(one -> one.isTrue());
            if (!TaintRuleConditions.isCurrent(rule) || saysSo != (pending && evicts)) {
                return Optional.of(
                        "rule %s has conditions %s".formatted(rule.metadata(), rule.conditions()));
            }
        }
        return Optional.empty();
    }

    /// Requests for the status of complete pools.
    private Optional<String> poolStatuses() {
        for (var request : environment.read(Kinds.RESOURCE_POOL_STATUS_REQUEST)) {
            var report = new PoolStatusReport(claims, rules).calculate(request, slices, now);
            if (request.status().isEmpty() && report.missing().isEmpty()) {
                return Optional.of("request %s has no status".formatted(request.ref()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> replicas() {
        for (var set : workloads(WorkloadManifests.SETS)) {
            var desired = set.number("replicas", 1);
            if (active(set) != desired || set.status().number("replicas").orElse(0) != desired) {
                return Optional.of(
                        "set %s should have %d pods, has %d and status %s"
                                .formatted(set.name(), desired, active(set), set.status()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> jobs() {
        for (var job : workloads(WorkloadManifests.JOBS)) {
            if (JobRules.isFinished(job) != (active(job) == 0)) {
                return Optional.of(
                        "job %s has %d pods and status %s"
                                .formatted(job.name(), active(job), job.status()));
            }
        }
        return Optional.empty();
    }

    private List<Workload> workloads(ResourcePath address) {
        return environment.all(address).stream().map(Workload::new).toList();
    }

    private long active(Workload owner) {
        return pods.stream()
                .filter(pod -> !pod.metadata().isDeleting() && !PodClaimPhase.isTerminated(pod))
                .flatMap(pod -> pod.metadata().controller().stream())
                .filter(one -> one.uid().value().equals(owner.uid()))
                .count();
    }
}
