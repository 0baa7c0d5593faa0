package dev.berth.core.place.pack;

import dev.berth.model.api.claim.DeviceSelector;
import java.util.List;

/// The devices that a request can use: a device class and the selectors of the request.
///
/// @param selectors empty for all devices of the class
record RequestKind(String className, List<DeviceSelector> selectors) {

    RequestKind {
        selectors = List.copyOf(selectors);
    }

    RequestKind withoutSelectors() {
        return selectors.isEmpty() ? this : new RequestKind(className, List.of());
    }
}
