package dev.berth.model.api;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// A condition that devices of several requests must meet together.
public sealed interface DeviceConstraint {

    /// The requests that it binds, as `request` or `request/alternative`; empty for all.
    List<String> requests();

    /// All devices have the same value.
    ///
    /// The API accepts a distinct attribute beside it and ignores that; it is only kept.
    record MatchAttribute(
            List<String> requests, String attribute, Optional<String> ignoredDistinctAttribute)
            implements DeviceConstraint {
        public MatchAttribute {
            requests = List.copyOf(requests);
        }
    }

    /// No two devices have the same value.
    record DistinctAttribute(List<String> requests, String attribute) implements DeviceConstraint {
        public DistinctAttribute {
            requests = List.copyOf(requests);
        }
    }

    /// A condition of a newer API; kept as it was written.
    record Unrecognised(List<String> requests, JsonObject raw) implements DeviceConstraint {
        public Unrecognised {
            requests = List.copyOf(requests);
        }
    }
}
