package dev.berth.core.place.pack;

import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.selector.SelectorChain;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.claim.DeviceClass;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Numbers of the request kinds seen so far, and the kinds that each device can serve. Kinds are
/// only added; numbers are internal and influence no result.
final class RequestKindIndex {

    private final SelectorCache selectorCache;
    private final Map<String, DeviceClass> classes;
    private final List<RequestKind> kinds = new ArrayList<>();
    private final List<Optional<SelectorChain>> selectorChains = new ArrayList<>();
    private final Map<RequestKind, Integer> numbers = new HashMap<>();

    RequestKindIndex(SelectorCache selectorCache, Map<String, DeviceClass> classes) {
        this.selectorCache = selectorCache;
        this.classes = classes;
    }

    Map<String, DeviceClass> classes() {
        return classes;
    }

    /// Adds a kind and its class without selectors.
    void add(RequestKind kind) {
        if (numbers.containsKey(kind)) {
            return;
        }
        if (!kind.selectors().isEmpty()) {
            add(kind.withoutSelectors());
        }
        numbers.put(kind, kinds.size());
        kinds.add(kind);
        selectorChains.add(
                Optional.ofNullable(classes.get(kind.className()))
                        .map(deviceClass -> selectorCache.of(deviceClass, kind.selectors())));
    }

    int size() {
        return kinds.size();
    }

    RequestKind kind(int number) {
        return kinds.get(number);
    }

    int number(RequestKind kind) {
        return numbers.getOrDefault(kind, -1);
    }

    /// The kinds that a device can serve.
    BitSet of(SliceTable slice, int row) {
        var served = new BitSet();
        for (var number = 0; number < kinds.size(); number++) {
            var chain = selectorChains.get(number);
            if (chain.isPresent() && chain.get().match(slice).matches(row)) {
                served.set(number);
            }
        }
        return served;
    }
}
