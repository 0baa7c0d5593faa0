package dev.berth.node.driver;

import java.util.List;

/// Something that goes wrong while nobody waits for an answer. The driver goes on.
public sealed interface DriverProblem {

    /// In words.
    String message();

    /// The cluster refuses the devices; nothing happens until others are published.
    record DevicesRefused(String message) implements DriverProblem {}

    /// The cluster stored a slice without some of what was published, most likely because a feature
    /// is off there.
    ///
    /// @param slice name of the object
    /// @param fields that differ
    record FieldsDropped(String slice, List<String> fields) implements DriverProblem {
        public FieldsDropped {
            fields = List.copyOf(fields);
        }

        @Override
        public String message() {
            return "the cluster dropped %s of slice %s: is a feature gate off?"
                    .formatted(String.join(", ", fields), slice);
        }
    }

    /// The kubelet found the driver and will not have it.
    record RegistrationRefused(String message) implements DriverProblem {}

    /// A claim does not tell of its devices; it can be used all the same.
    record ReportFailed(ClaimRef claim, String reason) implements DriverProblem {
        @Override
        public String message() {
            return "claim %s: its status could not be written: %s".formatted(claim, reason);
        }
    }
}
