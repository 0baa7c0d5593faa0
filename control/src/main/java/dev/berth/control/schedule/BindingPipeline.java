package dev.berth.control.schedule;

import dev.berth.core.schedule.BindingCommand;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.BindingEvent;
import dev.berth.core.schedule.BindingFacts;
import dev.berth.core.schedule.BindingRules;
import dev.berth.core.schedule.BindingStage;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Binding cycles of pods: passes events to [BindingRules] and executes the commands.
///
/// Belongs to the scheduler's thread. Commands that block run elsewhere; their answers return as
/// events through the inbox.
final class BindingPipeline {

    /// More concurrent bindings would only wait for the API server.
    private static final int MAX_RUNNING = 512;

    /// Collaborators of the pipeline.
    ///
    /// @param inbox message queue of the scheduler's thread
    record Services(
            BindingWriter writer,
            TaskRunner taskRunner,
            Consumer<Runnable> inbox,
            StepTime time,
            EventSink events,
            QueueAdmission admission,
            FailedPods failedPods,
            SchedulerProfiles profiles,
            SchedulerObserver observer) {}

    private final BindingRules rules;
    private final Services services;
    private final ClusterView view;
    private final PodBindings bindings;
    private final LatestClaims latest;
    private final BindingFacts.Claims claims;
    private long attempts;
    private long bound;

    BindingPipeline(BindingRules rules, Services services, ClusterView view, PodBindings bindings) {
        this.rules = rules;
        this.services = services;
        this.view = view;
        this.bindings = bindings;
        this.latest = new LatestClaims(services.writer, view);
        this.claims =
                new BindingFacts.Claims(
                        view::claim, latest::find, latest::unseen, bindings::isBeingWritten);
    }

    /// The number of pods bound so far.
    long bound() {
        return bound;
    }

    boolean isFull() {
        // Bindings that wait for volumes, which may take minutes, do not load the API server.
        return bindings.size() - bindings.awaitingVolumesCount() >= MAX_RUNNING;
    }

    /// Starts the binding of a pod: assumes its placement and writes its claims.
    ///
    /// @param startNanos start of the scheduling attempt by [System#nanoTime]
    void begin(Pod pod, SchedulingDecision.Placed placed, long startNanos) {
        var stage = new BindingStage.AwaitingWrite();
        var cycle = new BindingCycle(++attempts, pod, placed, view.sequence(), stage);
        bindings.put(cycle);
        services.observer.binding(cycle, services.admission.history(cycle), startNanos);
        view.change(snapshot -> snapshot.assume(placed.placement()));
        handle(cycle, new BindingEvent.Started());
    }

    /// Called when a claim was added or changed.
    void claimSeen(ResourceClaim claim) {
        latest.seen(claim);
        handleAll(bindings.usersOf(claim), new BindingEvent.ClaimSeen());
    }

    void claimDeleted(ResourceClaim claim) {
        latest.deleted(claim.ref());
        handleAll(bindings.usersOf(claim), new BindingEvent.ClaimDeleted(claim.ref()));
    }

    /// Called when volumes or volume claims changed.
    void volumesSeen() {
        handleAll(bindings.awaitingVolumes(), new BindingEvent.VolumesSeen());
    }

    /// Cancels the binding of a deleted pod.
    void cancel(Pod pod) {
        bindings.find(pod.ref())
                .filter(cycle -> cycle.isOf(pod))
                .ifPresent(cycle -> handle(cycle, new BindingEvent.PodDeleted()));
    }

    /// Checks timeouts.
    void advance() {
        handleAll(bindings.pods(), new BindingEvent.TimePassed());
    }

    private void handleAll(List<ObjectRef> pods, BindingEvent event) {
        for (var pod : pods) {
            // An earlier one of them may have ended this one.
            bindings.find(pod).ifPresent(cycle -> handle(cycle, event));
        }
    }

    private void handle(BindingCycle cycle, BindingEvent event) {
        var step = rules.next(cycle, event, facts(cycle));
        var next = cycle.at(step.stage());
        bindings.put(next);
        if (next.stage().isFinal()) {
            view.dropForeignAllocationsUntil(bindings.oldestSequence().orElse(view.sequence()));
        }
        step.commands().forEach(command -> execute(next, command));
        if (next.stage().isFinal()) {
            services.observer.ended(next);
        }
    }

    private BindingFacts facts(BindingCycle cycle) {
        var snapshot = view.snapshot();
        return new BindingFacts(
                services.time.now(),
                claims,
                view.foreignAllocationsSince(cycle.sequence()),
                snapshot.context().storage(),
                snapshot.inventory()::node,
                view.slices());
    }

    private void execute(BindingCycle cycle, BindingCommand command) {
        var writer = services.writer;
        switch (command) {
            case BindingCommand.WriteClaims(var tasks) -> start(cycle, () -> writer.write(tasks));
            case BindingCommand.CreateExtendedClaim create ->
                    start(cycle, () -> writer.create(cycle.pod(), create));
            case BindingCommand.ResumeWriters(var written) ->
                    written.forEach(claim ->
                            handleAll(bindings.usersOf(claim), new BindingEvent.OtherWriteEnded()));
            case BindingCommand.WriteVolumes(var tasks) ->
                    start(cycle, () -> writer.writeVolumes(tasks));
            case BindingCommand.BindPod bind -> start(cycle, () -> writer.bind(cycle.pod(), bind));
            case BindingCommand.ForgetAssumptions(var assumed) -> {
                view.change(snapshot -> {
                    var without = snapshot.forgetPod(cycle.ref());
                    for (var claim : assumed) {
                        without = without.forgetClaim(claim);
                    }
                    return without;
                });
                services.failedPods.resourcesFreed();
            }
            case BindingCommand.RollBack rollBack -> rollBack(cycle, rollBack);
            case BindingCommand.RecordEvent(var reason, var action, var note) ->
                    services.events.record(
                            cycle.pod(), EventSink.Event.normal(reason, action, note));
            case BindingCommand.ReportFailedDevices(var claim, var devices) ->
                    services.profiles.devicesFailed(cycle, claim, devices, services.time.now());
            case BindingCommand.ReportBound _ -> {
                bound++;
                services.observer.bound(cycle, services.time.now());
                services.admission.bound(cycle);
            }
            case BindingCommand.ReportFailure(var message) -> {
                services.observer.bindingFailed(cycle, message);
                services.failedPods.bindingFailed(cycle, message);
                if (!cycle.placed().fits().volumes().isEmpty()) {
                    // Assumed volumes are released.
                    volumesSeen();
                }
            }
        }
    }

    /// Runs a blocking command and handles its answer.
    private void start(BindingCycle cycle, Supplier<BindingEvent> command) {
        services.taskRunner.start(() -> {
            var answer = command.get();
            services.inbox.accept(() -> answered(cycle, answer));
        });
    }

    /// Ends in every case, so that the pod is retried.
    private void rollBack(BindingCycle cycle, BindingCommand.RollBack rollBack) {
        services.taskRunner.start(() -> {
            try {
                services.writer.rollBack(cycle.pod(), rollBack);
            } finally {
                services.inbox.accept(() -> answered(cycle, new BindingEvent.RolledBack()));
            }
        });
    }

    private void answered(BindingCycle before, BindingEvent answer) {
        answer.writtenClaims().forEach(latest::written);
        services.observer.answered(before, answer);
        // Volumes may be written after the binding was given up, and even after the next began.
        bindings.find(before.ref())
                .filter(cycle -> cycle.attempt() == before.attempt())
                .ifPresent(cycle -> handle(cycle, answer));
    }
}
