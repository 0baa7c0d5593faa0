package dev.berth.core.schedule;

import dev.berth.core.schedule.BindingCommand.ClaimUndo;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The step that ends a binding without success: forgets its assumptions and undoes its writes.
final class BindingUndo {

    private BindingUndo() {}

    /// The step that removes the reservations of the pod. Claims keep their allocations.
    static BindingStep of(
            BindingCycle cycle, BindingWrites writes, String message, BindingFacts facts) {
        return step(cycle, writes, message, Set.of(), facts);
    }

    /// The step for devices that belong to other claims: also removes the allocations.
    static BindingStep withDeallocation(
            BindingCycle cycle, BindingWrites writes, String message, BindingFacts facts) {
        return step(cycle, writes, message, cycle.toAllocate(), facts);
    }

    private static BindingStep step(
            BindingCycle cycle,
            BindingWrites writes,
            String message,
            Set<ObjectRef> toDeallocate,
            BindingFacts facts) {
        // A written claim keeps its devices.
        var forgotten = new HashSet<>(cycle.toAllocate());
        forgotten.removeAll(writes.refs());
        return BindingStep.of(
                new BindingStage.Undoing(message),
                new BindingCommand.ForgetAssumptions(forgotten),
                new BindingCommand.RollBack(
                        claims(cycle, writes, toDeallocate, facts),
                        writes.extendedClaim(),
                        !cycle.nodeResources().isEmpty(),
                        !toDeallocate.isEmpty()));
    }

    private static List<ClaimUndo> claims(
            BindingCycle cycle,
            BindingWrites writes,
            Set<ObjectRef> toDeallocate,
            BindingFacts facts) {
        var undo = new ArrayList<ClaimUndo>();
        for (var write : writes.writes()) {
            if (writes.isExtendedClaim(write.ref())) {
                // It is deleted.
                continue;
            }
            if (toDeallocate.contains(write.ref())) {
                undo.add(new ClaimUndo.Deallocate(write));
            } else {
                unreserve(cycle, write.ref(), write.uid(), undo);
            }
        }
        var written = writes.refs();
        for (var ref : cycle.stored(writes)) {
            if (!written.contains(ref)) {
                facts.watched(ref)
                        .filter(claim -> claim.status().reservedFor().contains(cycle.consumer(ref)))
                        .ifPresent(claim -> unreserve(cycle, ref, claim.metadata().uid(), undo));
            }
        }
        return undo;
    }

    /// A reservation for a group stays, because its other pods use it too.
    private static void unreserve(
            BindingCycle cycle, ObjectRef claim, Uid uid, List<ClaimUndo> undo) {
        var user = cycle.consumer(claim);
        if (!user.isPodGroup()) {
            undo.add(new ClaimUndo.Unreserve(claim, uid, user));
        }
    }
}
