package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A reason why requests do not fit together although each has enough devices by itself.
public sealed interface RequestConflict {

    /// The requests fit without this constraint.
    ///
    /// @param match true for `matchAttribute`, false for `distinctAttribute`
    /// @param values attribute values of the free devices, and the number of devices with each
    record ConstraintUnmet(
            ObjectRef claim,
            int number,
            boolean match,
            String attribute,
            Map<String, Integer> values)
            implements RequestConflict {
        public ConstraintUnmet {
            values = new TreeMap<>(values);
        }
    }

    /// Devices of one request draw on the same counters, so they cannot all be allocated together.
    record NotAtOnce(ObjectRef claim, String request, long needed, long most)
            implements RequestConflict {}

    /// The requests fit if any one of these is left out.
    record Competing(List<String> requests) implements RequestConflict {
        public Competing {
            requests = List.copyOf(requests);
        }
    }
}
