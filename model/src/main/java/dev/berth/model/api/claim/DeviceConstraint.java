package dev.berth.model.api.claim;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// A constraint on the devices of several requests.
public sealed interface DeviceConstraint {

    /// The constrained requests, as `request` or `request/alternative`; empty for all.
    List<String> requests();

    /// All devices have the same attribute value.
    ///
    /// The API accepts `distinctAttribute` in addition and ignores it; it is only kept.
    record MatchAttribute(
            List<String> requests, String attribute, Optional<String> ignoredDistinctAttribute)
            implements DeviceConstraint {
        public MatchAttribute {
            requests = List.copyOf(requests);
        }
    }

    /// No two devices have the same attribute value.
    record DistinctAttribute(List<String> requests, String attribute) implements DeviceConstraint {
        public DistinctAttribute {
            requests = List.copyOf(requests);
        }
    }

    /// A constraint of an unknown type; kept as written.
    record Unrecognised(List<String> requests, JsonObject raw) implements DeviceConstraint {
        public Unrecognised {
            requests = List.copyOf(requests);
        }
    }
}
