package dev.berth.testkit.reference;

import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceDemand;
import java.util.List;
import java.util.Optional;

/// One request, or one alternative of a request, ready for the search.
///
/// @param name its own name; the name in results is [#fullName]
/// @param parent the request whose alternative it is
/// @param all the devices that a request for all devices is about; empty for a count
record ReferenceDemand(
        String name,
        Optional<String> parent,
        DeviceDemand wish,
        boolean admin,
        DeviceClass deviceClass,
        long count,
        Optional<List<ReferenceCandidate>> all) {

    String fullName() {
        return parent.map(request -> request + "/" + name).orElse(name);
    }
}
