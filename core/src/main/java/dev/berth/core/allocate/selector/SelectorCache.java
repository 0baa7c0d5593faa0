package dev.berth.core.allocate.selector;

import dev.berth.core.allocate.state.LruCache;
import dev.berth.core.allocate.state.ValueNumbering;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceSelector;
import java.util.List;

/// LRU cache of [SelectorChain]s by device class and selectors, shared by pods with equal requests.
public final class SelectorCache {

    private static final int MAX_CHAINS = 2_000;

    private final CompiledExpressions expressions;
    private final LruCache<Key, SelectorChain> chains = new LruCache<>(MAX_CHAINS);
    private final ValueNumbering numberings = new ValueNumbering();

    private record Key(
            String className, List<DeviceSelector> ofClass, List<DeviceSelector> ofRequest) {}

    public SelectorCache(CompiledExpressions expressions) {
        this.expressions = expressions;
    }

    public CompiledExpressions expressions() {
        return expressions;
    }

    public ValueNumbering numberings() {
        return numberings;
    }

    public SelectorChain of(DeviceClass deviceClass, List<DeviceSelector> ofRequest) {
        return of(deviceClass.metadata().name(), deviceClass.spec().selectors(), ofRequest);
    }

    public SelectorChain of(
            String className, List<DeviceSelector> ofClass, List<DeviceSelector> ofRequest) {
        return chains.computeIfAbsent(
                new Key(className, ofClass, ofRequest),
                key -> SelectorChain.of(key.className, key.ofClass, key.ofRequest, expressions));
    }
}
