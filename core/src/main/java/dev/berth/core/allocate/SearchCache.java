package dev.berth.core.allocate;

import dev.berth.core.ledger.Holdings;
import java.util.Optional;

/// What came of searches, for the next node that looks the same to the same question: in a cluster
/// of one model, most nodes do. A search that would do all over again what another did is spared,
/// however hard it was.
///
/// Bounded in number; what was asked for longest ago goes first.
final class SearchCache {

    private static final int MAX_WISHES = 1_000;
    private static final int MAX_CASES = 10_000;

    /// One question on one node.
    record Case(RequestProfile wishes, NodeFingerprint look) {}

    /// What came of a search.
    record Ruling(DeviceSearch.Finding finding, long steps) {}

    private final SelectorCache selections;
    private final LruCache<RequestProfile.Text, RequestProfile> wishes = new LruCache<>(MAX_WISHES);
    private final LruCache<Case, Ruling> rulings = new LruCache<>(MAX_CASES);

    SearchCache(SelectorCache selections) {
        this.selections = selections;
    }

    /// What decides the search; empty when it is about more than can be compared.
    Optional<Case> of(RequestProfile.Text text, NodeDevices arena, Holdings holdings) {
        var known = wishes.of(text, it -> RequestProfile.of(it, selections));
        return known.look(arena, holdings).map(look -> new Case(known, look));
    }

    Optional<Ruling> find(Case one) {
        return rulings.find(one);
    }

    /// Keeps what would be the same again. Messages name the node's devices, so faults would not.
    void keep(Case one, Ruling ruling) {
        if (!(ruling.finding instanceof DeviceSearch.Finding.Fault)) {
            rulings.keep(one, ruling);
        }
    }
}
