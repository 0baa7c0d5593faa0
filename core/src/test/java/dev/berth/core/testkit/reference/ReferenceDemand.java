package dev.berth.core.testkit.reference;

import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceDemand;
import java.util.List;
import java.util.Optional;

/// A request or subrequest, prepared for the search.
///
/// @param name its own name; the name in results is [#fullName]
/// @param parent parent request of a subrequest
/// @param all devices of a request with allocation mode All; empty for ExactCount
record ReferenceDemand(
        String name,
        Optional<String> parent,
        DeviceDemand deviceDemand,
        boolean admin,
        DeviceClass deviceClass,
        long count,
        Optional<List<ReferenceCandidate>> all) {

    String fullName() {
        return parent.map(request -> request + "/" + name).orElse(name);
    }
}
