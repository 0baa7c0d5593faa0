package dev.berth.model.api.claim;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// A named request of a claim.
public sealed interface DeviceRequest {

    String name();

    /// A request for devices of one class.
    ///
    /// `adminAccess` distinguishes absent from false, because the API server rejects both
    /// differently when the feature is disabled.
    record Exactly(String name, DeviceDemand demand, Optional<Boolean> adminAccess)
            implements DeviceRequest {

        public boolean isAdmin() {
            return adminAccess.orElse(false);
        }
    }

    /// A prioritized list: the first alternative that can be allocated.
    record FirstAvailable(String name, List<DeviceSubRequest> alternatives)
            implements DeviceRequest {
        public FirstAvailable {
            alternatives = List.copyOf(alternatives);
        }
    }

    /// A request of an unknown type, or both of the above; kept as written.
    record Unrecognised(String name, JsonObject raw) implements DeviceRequest {}
}
