package dev.berth.core.allocate;

import dev.berth.model.api.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An [RequestOption] in the making.
final class RequestOptionDraft {

    final String label;
    final String claimName;
    final String request;
    final String name;
    final int claim;
    final DeviceDemand demand;
    final boolean admin;
    final SelectorChain selection;
    final Map<Integer, String> faults = new HashMap<>();
    List<@Nullable Map<String, Quantity>> consumed = new ArrayList<>();
    long[] candidates = new long[0];
    long[] spent = new long[0];
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
            SelectorChain selection) {
        this.label = label;
        this.claimName = claimName;
        this.request = request;
        this.name = name;
        this.claim = claim;
        this.demand = demand;
        this.admin = admin;
        this.selection = selection;
    }

    /// True when devices are judged for this as they were for the other. The words of a fault name
    /// the request, so one with faults is judged anew.
    @SuppressWarnings("ReferenceEquality") // selections are shared
    boolean isLike(RequestOptionDraft other) {
        return claim == other.claim
                && selection == other.selection
                && other.faults.isEmpty()
                && demand.equals(other.demand);
    }

    void takeJudgementOf(RequestOptionDraft other) {
        candidates = other.candidates.clone();
        spent = other.spent.clone();
        consumed = other.consumed;
    }

    /// True when this took its judgement of the other, or both took it of a third.
    @SuppressWarnings("ReferenceEquality") // a judgement is shared or another
    boolean isJudgedAs(RequestOptionDraft other) {
        return consumed == other.consumed;
    }

    int count() {
        return count;
    }

    void wants(int devices) {
        count = devices;
    }
}
