package dev.berth.core.schedule;

import dev.berth.core.place.Rejection;
import dev.berth.model.api.ObjectRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// How many nodes object, and why: what people read in the condition of a pod that waits.
final class FitErrorSummary {

    private final Map<String, Integer> counts = new TreeMap<>();
    private final Set<WaitReason> causes = EnumSet.noneOf(WaitReason.class);

    // Most nodes object to the same: it is counted at once, when another reason comes.
    private Optional<Rejection> last = Optional.empty();
    private int times;
    private final Set<ObjectRef> elsewhere = new HashSet<>();

    void add(Rejection reason) {
        if (last.isPresent() && last.get().equals(reason)) {
            times++;
            return;
        }
        count();
        last = Optional.of(reason);
        times = 1;
        causes.addAll(WaitReason.of(reason));
        if (reason instanceof Rejection.ClaimElsewhere(var claim)) {
            elsewhere.add(claim);
        } else if (reason instanceof Rejection.CannotSkip(var claim, _)) {
            elsewhere.add(claim);
        }
    }

    private void count() {
        last.ifPresent(reason -> counts.merge(reason.text(), times, Integer::sum));
        last = Optional.empty();
    }

    /// The claims with devices that some node cannot serve.
    Set<ObjectRef> elsewhere() {
        return elsewhere;
    }

    Set<WaitReason> causes() {
        return causes.isEmpty() ? Set.of(WaitReason.OTHER) : causes;
    }

    /// `0/3 nodes are available: 2 cannot allocate all claims, 1 Insufficient cpu.`
    String message(int nodes) {
        if (nodes == 0) {
            return "no nodes available to schedule pods";
        }
        count();
        var parts = new ArrayList<String>();
        counts.forEach((text, count) -> parts.add(count + " " + text));
        Collections.sort(parts);
        return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", parts));
    }

    /// The same for a reason that has nothing to do with nodes.
    static String message(int nodes, String reason) {
        return "0/%d nodes are available: %s.".formatted(nodes, reason);
    }
}
