package dev.berth.core.explain;

import dev.berth.model.api.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Why requests that have devices enough by themselves do not fit together.
public sealed interface RequestConflict {

    /// Without the constraint they would fit.
    ///
    /// @param match true when devices must agree, false when they must differ
    /// @param values what the devices that are left have, and how many of them
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

    /// Devices of one request draw on the same counters, so that not all are to be had at once.
    record NotAtOnce(ObjectRef claim, String request, long needed, long most)
            implements RequestConflict {}

    /// Without any one of these requests the others would fit.
    record Competing(List<String> requests) implements RequestConflict {
        public Competing {
            requests = List.copyOf(requests);
        }
    }
}
