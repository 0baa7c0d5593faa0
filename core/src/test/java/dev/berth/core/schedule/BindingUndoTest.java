package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.schedule.BindingCommand.ClaimUndo;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The commands that undo a binding.
class BindingUndoTest {

    private static final ObjectRef GPU = new ObjectRef("ns", "gpu");
    private static final ConsumerReference POD = ConsumerReference.pod("pod", new Uid("pod-1"));
    private static final ConsumerReference GROUP =
            ConsumerReference.podGroup("g", new Uid("group-1"));
    private static final BindingStage AWAITING_WRITE = new BindingStage.AwaitingWrite();

    private final BindingFixture fixture = new BindingFixture();

    @Test
    void anUndoneBindingKeepsTheDevicesOfWrittenClaims() {
        fixture.watch(BindingFixture.written());
        var step =
                fixture.next(
                        BindingFixture.allocating(
                                new BindingStage.Binding(BindingFixture.writes())),
                        new BindingEvent.BindFailed("no"));
        assertThat(step)
                .isEqualTo(
                        BindingStep.of(
                                new BindingStage.Undoing("no"),
                                new BindingCommand.ForgetAssumptions(Set.of()),
                                rollBack(new ClaimUndo.Unreserve(GPU, new Uid("gpu-1"), POD))));
    }

    @Test
    void anUndoneBindingForgetsUnwrittenAllocationsAndRemovesKnownReservations() {
        fixture.watch(BindingFixture.claim("gpu", 2, BindingFixture.RESERVATION));
        var step =
                fixture.next(
                        BindingFixture.allocating(AWAITING_WRITE), new BindingEvent.PodDeleted());
        assertThat(step)
                .isEqualTo(
                        BindingStep.of(
                                new BindingStage.Undoing("the pod was deleted"),
                                new BindingCommand.ForgetAssumptions(Set.of(GPU)),
                                rollBack(new ClaimUndo.Unreserve(GPU, new Uid("gpu-1"), POD))));
    }

    @Test
    void theReservationOfAGroupStays() {
        var stage = new BindingStage.Binding(BindingFixture.writes());
        var step =
                fixture.next(
                        BindingFixture.sharing(Map.of(GPU, GROUP), stage),
                        new BindingEvent.BindFailed("no"));
        assertThat(step.commands()).contains(rollBack());
    }

    private static BindingCommand.RollBack rollBack(ClaimUndo... claims) {
        return new BindingCommand.RollBack(List.of(claims), Optional.empty(), false, false);
    }

    @Test
    void theWriteOfADeletedPodIsUndoneWhenItEnds() {
        fixture.watch(BindingFixture.unallocated());
        var writing = new BindingStage.WritingClaims(Set.of(GPU), BindingWrites.NONE);
        var cancelled =
                fixture.next(BindingFixture.allocating(writing), new BindingEvent.PodDeleted());
        assertThat(cancelled.commands()).isEmpty();
        var undone =
                fixture.next(
                        BindingFixture.allocating(cancelled.stage()),
                        new BindingEvent.ClaimsWritten(BindingFixture.writes().writes()));
        assertThat(undone.stage()).isEqualTo(new BindingStage.Undoing("the pod was deleted"));
        assertThat(undone.commands().getLast())
                .isEqualTo(new BindingCommand.ResumeWriters(Set.of(GPU)));
    }
}
