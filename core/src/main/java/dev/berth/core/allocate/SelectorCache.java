package dev.berth.core.allocate;

import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceSelector;
import java.util.List;

/// Selections that were made before, for the next pod that asks the same.
final class SelectorCache {

    private static final int MAX_SELECTIONS = 2_000;

    private final CompiledExpressions expressions;
    private final LruCache<Key, SelectorChain> known = new LruCache<>(MAX_SELECTIONS);
    private final ValueNumbering numberings = new ValueNumbering();

    private record Key(
            String className, List<DeviceSelector> ofClass, List<DeviceSelector> ofRequest) {}

    SelectorCache(CompiledExpressions expressions) {
        this.expressions = expressions;
    }

    CompiledExpressions expressions() {
        return expressions;
    }

    ValueNumbering numberings() {
        return numberings;
    }

    SelectorChain of(DeviceClass deviceClass, List<DeviceSelector> ofRequest) {
        return of(deviceClass.metadata().name(), deviceClass.spec().selectors(), ofRequest);
    }

    SelectorChain of(
            String className, List<DeviceSelector> ofClass, List<DeviceSelector> ofRequest) {
        return known.of(
                new Key(className, ofClass, ofRequest),
                key -> SelectorChain.of(key.className, key.ofClass, key.ofRequest, expressions));
    }
}
