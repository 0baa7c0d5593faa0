package dev.berth.model.api;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// One named part of a claim.
public sealed interface DeviceRequest {

    String name();

    /// Devices of one sort.
    ///
    /// `adminAccess` tells absent from false because the API refuses both differently when the
    /// feature is off.
    record Exactly(String name, DeviceDemand demand, Optional<Boolean> adminAccess)
            implements DeviceRequest {

        public boolean isAdmin() {
            return adminAccess.orElse(false);
        }
    }

    /// The first of several alternatives that can be had.
    record FirstAvailable(String name, List<DeviceSubRequest> alternatives)
            implements DeviceRequest {
        public FirstAvailable {
            alternatives = List.copyOf(alternatives);
        }
    }

    /// A request of a newer API, or both of the above; kept as it was written.
    record Unrecognised(String name, JsonObject raw) implements DeviceRequest {}
}
