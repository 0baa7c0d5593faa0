package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.schedule.BindingCommand.ClaimUndo;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.ResourceSlice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Bindings from the decision to the bound pod, and the reasons that end them.
class BindingRulesTest {

    private static final ObjectRef GPU = new ObjectRef("ns", "gpu");
    private static final ConsumerReference POD = ConsumerReference.pod("pod", new Uid("pod-1"));
    private static final ConsumerReference GROUP =
            ConsumerReference.podGroup("g", new Uid("group-1"));
    private static final BindingStage AWAITING_WRITE = new BindingStage.AwaitingWrite();

    private final BindingFixture fixture = new BindingFixture();

    private static BindingStage.AwaitingWatch awaitingWatch() {
        return new BindingStage.AwaitingWatch(BindingFixture.writes(), BindingFixture.START);
    }

    private BindingStep claimSeen(ResourceClaim claim) {
        fixture.watch(claim);
        return fixture.next(
                BindingFixture.allocating(awaitingWatch()), new BindingEvent.ClaimSeen());
    }

    private static <T extends BindingCommand> T command(BindingStep step, Class<T> type) {
        return step.commands().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private static void assertUndone(BindingStep step, String message) {
        assertThat(step.stage()).isEqualTo(new BindingStage.Undoing(message));
    }

    @Test
    void anAllocationIsWrittenWithItsTime() {
        fixture.watch(BindingFixture.unallocated());
        fixture.now = BindingFixture.START.plusMillis(1_500);
        var step =
                fixture.next(BindingFixture.allocating(AWAITING_WRITE), new BindingEvent.Started());
        var task = command(step, BindingCommand.WriteClaims.class).tasks().getFirst();
        assertThat(task.claim()).isEqualTo(BindingFixture.unallocated());
        assertThat(task.user()).isEqualTo(POD);
        assertThat(task.allocation().orElseThrow().allocationTimestamp())
                .contains(BindingFixture.START.plusSeconds(1));
    }

    @Test
    void anAllocatedClaimIsReserved() {
        var claim = BindingFixture.claim("gpu", 3, BindingFixture.allocation("gpu-0"));
        fixture.watch(claim);
        var step =
                fixture.next(
                        BindingFixture.sharing(Map.of(), AWAITING_WRITE),
                        new BindingEvent.Started());
        assertThat(command(step, BindingCommand.WriteClaims.class).tasks())
                .containsExactly(new BindingCommand.ClaimTask(claim, Optional.empty(), POD));
    }

    @Test
    void aClaimThatAnotherBindingWritesIsWrittenAfterwards() {
        fixture.watch(BindingFixture.unallocated());
        fixture.beingWritten.add(GPU);
        var cycle = BindingFixture.allocating(AWAITING_WRITE);
        assertThat(fixture.next(cycle, new BindingEvent.Started()))
                .isEqualTo(BindingStep.of(AWAITING_WRITE));
        fixture.beingWritten.clear();
        assertThat(fixture.next(cycle, new BindingEvent.OtherWriteEnded()).stage())
                .isEqualTo(new BindingStage.WritingClaims(Set.of(GPU), BindingWrites.NONE));
    }

    @Test
    void aReservationOfTheGroupThatTheWatchHasNotShownIsAwaited() {
        var allocation = BindingFixture.allocation("gpu-0");
        var reserved =
                BindingFixture.claim(
                        "gpu",
                        9,
                        allocation,
                        "reservedFor: [{apiGroup: scheduling.k8s.io, resource: podgroups,"
                                + " name: g, uid: group-1}]");
        fixture.watch(BindingFixture.claim("gpu", 2, allocation));
        fixture.newer.put(GPU, reserved);
        fixture.unseen.put(GPU, BindingFixture.write(reserved));
        var groups = Map.of(GPU, GROUP);
        var step =
                fixture.next(
                        BindingFixture.sharing(groups, AWAITING_WRITE), new BindingEvent.Started());
        var expected = BindingWrites.of(List.of(BindingFixture.write(reserved)));
        assertThat(step)
                .isEqualTo(
                        BindingStep.of(
                                new BindingStage.AwaitingWatch(expected, BindingFixture.START)));
        fixture.watch(reserved);
        assertThat(
                        fixture.next(
                                        BindingFixture.sharing(groups, step.stage()),
                                        new BindingEvent.ClaimSeen())
                                .stage())
                .isEqualTo(new BindingStage.Binding(expected));
    }

    @Test
    void aClaimThatChangedSinceTheDecisionIsNotWritten() {
        var cycle = BindingFixture.sharing(Map.of(), AWAITING_WRITE);
        assertUndone(
                fixture.next(cycle, new BindingEvent.Started()),
                "claim gpu got deleted in the meantime");
        fixture.watch(BindingFixture.claim("gpu", 3, BindingFixture.allocation("gpu-1")));
        assertUndone(
                fixture.next(cycle, new BindingEvent.Started()),
                "claim gpu got allocated elsewhere in the meantime");
    }

    @Test
    void thePodIsBoundWhenTheWatchShowsTheWrite() {
        assertThat(claimSeen(BindingFixture.unallocated()).commands()).isEmpty();
        assertThat(claimSeen(BindingFixture.written()))
                .isEqualTo(
                        BindingStep.of(
                                new BindingStage.Binding(BindingFixture.writes()),
                                new BindingCommand.BindPod("n1", Optional.empty(), List.of())));
    }

    @Test
    void aClaimThatIsNotAsWrittenEndsTheBinding() {
        var allocation = BindingFixture.allocation("gpu-0");
        assertUndone(
                claimSeen(BindingFixture.claim("gpu", 6)),
                "claim gpu got deallocated elsewhere in the meantime");
        assertUndone(
                claimSeen(
                        BindingFixture.claim(
                                "gpu",
                                6,
                                BindingFixture.allocation("gpu-1"),
                                BindingFixture.RESERVATION)),
                "claim gpu got allocated elsewhere in the meantime");
        assertUndone(
                claimSeen(BindingFixture.claim("gpu", 6, allocation)),
                "claim gpu is no longer reserved for the pod");
        fixture.watched.clear();
        assertUndone(
                fixture.next(
                        BindingFixture.allocating(awaitingWatch()), new BindingEvent.ClaimSeen()),
                "claim gpu got deleted in the meantime");
    }

    @Test
    void theEarlierOfTwoAllocationsOfADeviceWins() {
        fixture.foreign.add(foreign(4, true, "gpu-0"));
        var lost = claimSeen(BindingFixture.written());
        assertUndone(lost, "devices were allocated to another claim in the meantime");
        assertThat(command(lost, BindingCommand.RollBack.class))
                .isEqualTo(
                        new BindingCommand.RollBack(
                                List.of(
                                        new ClaimUndo.Deallocate(
                                                BindingFixture.write(BindingFixture.written()))),
                                Optional.empty(),
                                false,
                                true));

        fixture.foreign.set(0, foreign(6, true, "gpu-0"));
        assertThat(claimSeen(BindingFixture.written()).stage())
                .isInstanceOf(BindingStage.Binding.class);
    }

    /// A list shows a later version than that of the allocating write.
    @Test
    void anAllocationFromAListCountsAsEarlier() {
        fixture.foreign.add(foreign(6, false, "gpu-0"));
        assertThat(claimSeen(BindingFixture.written()).stage())
                .isInstanceOf(BindingStage.Undoing.class);
    }

    @Test
    void anotherDeviceOfThePoolIsNoConflict() {
        fixture.foreign.add(foreign(4, true, "gpu-1"));
        assertThat(claimSeen(BindingFixture.written()).stage())
                .isInstanceOf(BindingStage.Binding.class);
    }

    @Test
    void anyTwoDevicesConflictInAPoolWithCounters() {
        var slice =
                BindingFixture.read(
                        ResourceSlice.class,
                        """
                        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s},
                         spec: {driver: d, nodeName: n1,
                           pool: {name: p, generation: 1, resourceSliceCount: 1},
                           devices: [{name: gpu-0, consumesCounters: [
                             {counterSet: c, counters: {memory: {value: "1"}}}]}]}}
                        """);
        fixture.slices = fixture.slices.with("s", slice);
        fixture.foreign.add(foreign(4, true, "gpu-1"));
        assertThat(claimSeen(BindingFixture.written()).stage())
                .isInstanceOf(BindingStage.Undoing.class);
    }

    private static BindingFacts.ForeignAllocation foreign(
            long version, boolean isExact, String device) {
        var claim = BindingFixture.claim("other", version, BindingFixture.allocation(device));
        var devices = claim.status().allocation().orElseThrow().devices();
        return new BindingFacts.ForeignAllocation(1, claim.ref(), version, isExact, devices);
    }

    @Test
    void aWriteThatTheWatchDoesNotShowTimesOut() {
        fixture.watch(BindingFixture.unallocated());
        var cycle = BindingFixture.allocating(awaitingWatch());
        fixture.now = BindingFixture.START.plus(BindingRules.WATCH_TIMEOUT);
        assertThat(fixture.next(cycle, new BindingEvent.TimePassed()).commands()).isEmpty();
        fixture.now = fixture.now.plusMillis(1);
        assertUndone(
                fixture.next(cycle, new BindingEvent.TimePassed()),
                "timed out waiting for the watch to show the written claims");
    }

    @Test
    void pendingBindingConditionsAreReportedOnce() {
        var first = claimSeen(BindingFixture.attached());
        assertThat(first)
                .isEqualTo(
                        BindingStep.of(
                                new BindingStage.AwaitingBindingConditions(
                                        BindingFixture.writes(), BindingFixture.START),
                                new BindingCommand.RecordEvent(
                                        "BindingConditionsPending",
                                        "Scheduling",
                                        "waiting for binding conditions for device on node n1")));
        var cycle = BindingFixture.allocating(first.stage());
        assertThat(fixture.next(cycle, new BindingEvent.TimePassed()))
                .isEqualTo(BindingStep.of(first.stage()));
        fixture.watch(BindingFixture.attached(BindingFixture.condition("Up")));
        assertThat(fixture.next(cycle, new BindingEvent.ClaimSeen()).stage())
                .isInstanceOf(BindingStage.Binding.class);
    }

    @Test
    void devicesWhoseBindingFailedAreReportedFirst() {
        var claim = BindingFixture.attached(BindingFixture.condition("Down"));
        var step = claimSeen(claim);
        assertUndone(step, "device binding failed: claim=gpu, reason=Because, message=\"told\"");
        var device = claim.status().allocation().orElseThrow().devices().getFirst().id();
        assertThat(step.commands().getFirst())
                .isEqualTo(new BindingCommand.ReportFailedDevices(claim, List.of(device)));
    }

    @Test
    void bindingConditionsTimeOut() {
        var cycle = BindingFixture.allocating(claimSeen(BindingFixture.attached()).stage());
        fixture.now = BindingFixture.START.plus(BindingFixture.CONDITIONS_TIMEOUT).plusSeconds(1);
        assertUndone(
                fixture.next(cycle, new BindingEvent.TimePassed()),
                "device binding timeout: claim ns/gpu is not ready after 600 s");
    }

    @Test
    void volumesAreBoundBeforeThePod() {
        fixture.node = Optional.of(BindingFixture.node());
        fixture.volumes = fixture.volumes.with(BindingFixture.volumeClaim("", ""));
        var writing = claimSeen(BindingFixture.written());
        assertThat(command(writing, BindingCommand.WriteVolumes.class).tasks()).hasSize(1);

        fixture.volumes =
                fixture.volumes.with(
                        BindingFixture.volumeClaim("volume.kubernetes.io/selected-node: n1", ""));
        var waiting =
                fixture.next(
                        BindingFixture.allocating(writing.stage()),
                        new BindingEvent.VolumesWritten(Map.of()));
        assertThat(waiting.stage()).isInstanceOf(BindingStage.AwaitingVolumes.class);

        fixture.volumes =
                fixture.volumes
                        .with(BindingFixture.boundVolumeClaim())
                        .with(BindingFixture.volume());
        var bound =
                fixture.next(
                        BindingFixture.allocating(waiting.stage()), new BindingEvent.VolumesSeen());
        assertThat(bound.stage()).isEqualTo(new BindingStage.Binding(BindingFixture.writes()));
    }

    @Test
    void volumesTimeOut() {
        fixture.node = Optional.of(BindingFixture.node());
        fixture.volumes =
                fixture.volumes.with(
                        BindingFixture.volumeClaim("volume.kubernetes.io/selected-node: n1", ""));
        var writing = claimSeen(BindingFixture.written()).stage();
        var waiting =
                fixture.next(
                                BindingFixture.allocating(writing),
                                new BindingEvent.VolumesWritten(Map.of()))
                        .stage();
        fixture.now = BindingFixture.START.plus(Duration.ofMinutes(10));
        assertUndone(
                fixture.next(BindingFixture.allocating(waiting), new BindingEvent.TimePassed()),
                "binding volumes: timed out waiting for the condition");
    }

    @Test
    void aClaimForExtendedResourcesIsCreatedAwaitedAndDeletedOnFailure() {
        var creating =
                fixture.next(BindingFixture.extending(AWAITING_WRITE), new BindingEvent.Started());
        assertThat(creating.stage())
                .isEqualTo(new BindingStage.CreatingExtendedClaim(BindingWrites.NONE));
        assertThat(command(creating, BindingCommand.CreateExtendedClaim.class).user())
                .isEqualTo(POD);

        var allocation = BindingFixture.allocation("gpu-0");
        var claim = BindingFixture.claim("made", 5, allocation, BindingFixture.RESERVATION);
        var waiting =
                fixture.next(
                        BindingFixture.extending(creating.stage()),
                        new BindingEvent.ExtendedClaimWritten(claim, BindingFixture.write(claim)));
        var writes = BindingWrites.of(List.of(BindingFixture.write(claim)));
        assertThat(waiting)
                .isEqualTo(
                        BindingStep.of(
                                new BindingStage.AwaitingWatch(
                                        writes.withExtendedClaim(claim), BindingFixture.START)));

        var deleted = new BindingEvent.ClaimDeleted(claim.ref());
        var undo = fixture.next(BindingFixture.extending(waiting.stage()), deleted);
        assertThat(command(undo, BindingCommand.RollBack.class).created()).contains(claim);

        fixture.watch(claim);
        var binding =
                fixture.next(
                        BindingFixture.extending(waiting.stage()), new BindingEvent.ClaimSeen());
        var status = command(binding, BindingCommand.BindPod.class).extendedClaim();
        assertThat(status.orElseThrow().resourceClaimName()).isEqualTo("made");
    }

    @Test
    void theDeletionOfAnotherClaimIsIgnored() {
        var other = new BindingEvent.ClaimDeleted(new ObjectRef("ns", "other"));
        assertThat(fixture.next(BindingFixture.allocating(awaitingWatch()), other))
                .isEqualTo(BindingStep.of(awaitingWatch()));
    }
}
