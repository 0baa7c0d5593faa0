package dev.berth.core.allocate;

import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceSelector;
import java.util.List;

/// Selections that were made before, for the next pod that asks the same.
final class Selections {

    private static final int MAX_SELECTIONS = 2_000;

    private final Expressions expressions;
    private final Recent<Key, Selection> known = new Recent<>(MAX_SELECTIONS);
    private final Numberings numberings = new Numberings();

    private record Key(
            String className, List<DeviceSelector> ofClass, List<DeviceSelector> ofRequest) {}

    Selections(Expressions expressions) {
        this.expressions = expressions;
    }

    Expressions expressions() {
        return expressions;
    }

    Numberings numberings() {
        return numberings;
    }

    Selection of(DeviceClass deviceClass, List<DeviceSelector> ofRequest) {
        return of(deviceClass.metadata().name(), deviceClass.spec().selectors(), ofRequest);
    }

    Selection of(String className, List<DeviceSelector> ofClass, List<DeviceSelector> ofRequest) {
        return known.of(
                new Key(className, ofClass, ofRequest),
                key -> Selection.of(key.className, key.ofClass, key.ofRequest, expressions));
    }
}
