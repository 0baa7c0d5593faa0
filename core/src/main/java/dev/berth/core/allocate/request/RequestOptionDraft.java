package dev.berth.core.allocate.request;

import dev.berth.core.allocate.selector.SelectorChain;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Mutable builder state of a [RequestOption].
final class RequestOptionDraft {

    final String label;
    final String claimName;
    final String request;
    final String name;
    final int claim;
    final DeviceDemand demand;
    final boolean admin;
    final SelectorChain selectorChain;
    final Map<Integer, String> faults = new HashMap<>();
    List<@Nullable Map<String, Quantity>> consumed = new ArrayList<>();
    long[] candidates = new long[0];
    long[] exhausted = new long[0];
    int[] allDevices = new int[0];
    boolean all;
    private int count;

    RequestOptionDraft(
            String label,
            String claimName,
            String request,
            String name,
            int claim,
            DeviceDemand demand,
            boolean admin,
            SelectorChain selectorChain) {
        this.label = label;
        this.claimName = claimName;
        this.request = request;
        this.name = name;
        this.claim = claim;
        this.demand = demand;
        this.admin = admin;
        this.selectorChain = selectorChain;
    }

    /// Whether the evaluation of devices for `other` is valid for this option. An option with
    /// faults is evaluated again, because their messages name the request.
    @SuppressWarnings("ReferenceEquality") // selector chains are shared
    boolean isEquivalentTo(RequestOptionDraft other) {
        return claim == other.claim
                && selectorChain == other.selectorChain
                && other.faults.isEmpty()
                && demand.equals(other.demand);
    }

    void copyEvaluationOf(RequestOptionDraft other) {
        candidates = other.candidates.clone();
        exhausted = other.exhausted.clone();
        consumed = other.consumed;
    }

    /// Whether both options use the same evaluation of devices.
    @SuppressWarnings("ReferenceEquality") // evaluations are shared by reference
    boolean sharesEvaluationWith(RequestOptionDraft other) {
        return consumed == other.consumed;
    }

    int count() {
        return count;
    }

    void requireDevices(int devices) {
        count = devices;
    }
}
