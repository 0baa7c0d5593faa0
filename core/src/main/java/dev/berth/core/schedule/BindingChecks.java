package dev.berth.core.schedule;

import dev.berth.core.place.VolumeBindingTask;
import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus;
import java.time.Duration;
import java.util.Optional;

/// Checks between the writes of a binding and the binding of its pod: the watch has shown the
/// writes, no other scheduler was faster, the claims are as decided, binding conditions are true,
/// volumes are bound.
///
/// All checks are repeated in each waiting stage, because claims may change meanwhile.
record BindingChecks(
        BindingCycle cycle,
        BindingStage.Waiting stage,
        BindingFacts facts,
        Duration conditionsTimeout) {

    /// Timeout of provisioning and binding of volumes.
    static final Duration VOLUME_TIMEOUT = Duration.ofMinutes(10);

    /// The step after the checks: the next stage, the same stage, or undo.
    BindingStep next() {
        var writes = stage.writes();
        for (var write : writes.writes()) {
            var seen = facts.watched(write.ref());
            if (seen.isEmpty()) {
                // The watch shows a created claim only after a while.
                return stage instanceof BindingStage.AwaitingWatch
                                && writes.isExtendedClaim(write.ref())
                        ? unchanged()
                        : undo(BindingClaimCheck.deleted(write.ref()));
            }
            if (version(seen.get()) < write.version()) {
                return unchanged();
            }
        }
        if (BindingConflicts.hasLost(writes, facts)) {
            return BindingUndo.withDeallocation(
                    cycle,
                    writes,
                    "devices were allocated to another claim in the meantime",
                    facts);
        }
        return BindingClaimCheck.beforeBind(cycle, writes, facts)
                .map(this::undo)
                .orElseGet(this::afterClaims);
    }

    private static long version(KubernetesObject object) {
        return BindingWrites.version(object.metadata().resourceVersion());
    }

    private BindingStep unchanged() {
        return BindingStep.of(stage);
    }

    private BindingStep undo(String message) {
        return BindingUndo.of(cycle, stage.writes(), message, facts);
    }

    private BindingStep afterClaims() {
        for (var ref : cycle.stored(stage.writes())) {
            var claim = facts.watched(ref).orElseThrow();
            if (!BindingConditionState.isRequired(claim)) {
                continue;
            }
            switch (BindingConditionState.of(
                    claim, Optional.of(stage.since()), conditionsTimeout, facts.now())) {
                case BindingConditionState.Ready _ -> {}
                case BindingConditionState.Pending _ -> {
                    return awaitConditions();
                }
                case BindingConditionState.Failed(var message, var devices, _) -> {
                    var undo = undo(message);
                    var report = new BindingCommand.ReportFailedDevices(claim, devices);
                    return BindingStep.of(undo.stage(), report).then(undo.commands());
                }
            }
        }
        return afterConditions();
    }

    private BindingStep awaitConditions() {
        return stage instanceof BindingStage.AwaitingWatch(var writes, var since)
                ? BindingStep.of(
                        new BindingStage.AwaitingBindingConditions(writes, since),
                        new BindingCommand.RecordEvent(
                                "BindingConditionsPending",
                                "Scheduling",
                                "waiting for binding conditions for device on node "
                                        + cycle.node()))
                : unchanged();
    }

    private BindingStep afterConditions() {
        return switch (stage) {
            case BindingStage.AwaitingWatch _, BindingStage.AwaitingBindingConditions _ ->
                    writeVolumes();
            case BindingStage.WritingVolumes _ -> unchanged();
            case BindingStage.AwaitingVolumes awaiting -> checkVolumes(awaiting);
        };
    }

    private BindingStep writeVolumes() {
        var tasks = VolumeBindingTask.of(cycle.pod(), cycle.placed().fits(), facts.volumes());
        return tasks.isEmpty()
                ? bind()
                : BindingStep.of(
                        new BindingStage.WritingVolumes(
                                stage.writes(),
                                stage.since(),
                                new BindingStage.PendingVolumes(tasks, facts.now())),
                        new BindingCommand.WriteVolumes(tasks));
    }

    private BindingStep checkVolumes(BindingStage.AwaitingVolumes awaiting) {
        var isOpen = false;
        for (var task : awaiting.volumes().tasks()) {
            var version = awaiting.versions().getOrDefault(task.claim().ref(), 0L);
            if (!isSeen(task, version)) {
                isOpen = true;
                continue;
            }
            switch (task.progress(facts.volumes(), facts.nodes().apply(cycle.node()))) {
                case VolumeBindingTask.Progress.Done _ -> {}
                case VolumeBindingTask.Progress.Pending _ -> isOpen = true;
                case VolumeBindingTask.Progress.Failed(var message) -> {
                    return undo(message);
                }
            }
        }
        if (!isOpen) {
            return bind();
        }
        return awaiting.volumes().since().plus(VOLUME_TIMEOUT).isAfter(facts.now())
                ? unchanged()
                : undo("binding volumes: timed out waiting for the condition");
    }

    /// True when the watch has shown the write.
    private boolean isSeen(VolumeBindingTask task, long version) {
        var seen =
                switch (task) {
                    case VolumeBindingTask.Bind(_, var volume) ->
                            facts.volumes().volume(volume).map(BindingChecks::version);
                    case VolumeBindingTask.Provision(var claim, _) ->
                            facts.volumes().claim(claim.ref()).map(BindingChecks::version);
                };
        return seen.isEmpty() || seen.get() >= version;
    }

    private BindingStep bind() {
        var extended =
                stage.writes()
                        .extendedClaim()
                        .flatMap(claim -> cycle.placed().extended().map(own -> status(claim, own)));
        return BindingStep.of(
                new BindingStage.Binding(stage.writes()),
                new BindingCommand.BindPod(cycle.node(), extended, cycle.nodeResources()));
    }

    private static ExtendedResourceClaimStatus status(
            ResourceClaim claim, ExtendedResourceClaim extended) {
        return new ExtendedResourceClaimStatus(extended.mappings(), claim.metadata().name());
    }
}
