package dev.berth.core.utilisation;

/// The available devices of a pool or a node for one [CandidateFilter].
///
/// @param now devices that can be allocated now
/// @param whole devices that could be allocated without holders
/// @param totals what is left of all devices
record SlotSummary(Slots now, Slots whole, FitTotals totals) {

    static SlotSummary none() {
        return new SlotSummary(new Slots(), new Slots(), new FitTotals());
    }

    void add(SlotSummary other) {
        now.add(other.now);
        whole.add(other.whole);
        totals.add(other.totals, 1);
    }
}
