package dev.berth.node.driver;

import java.util.List;

/// A problem outside of a call of the kubelet, which could be told of it. The driver keeps running.
public sealed interface DriverProblem {

    /// A sentence for administrators.
    String message();

    /// The driver is of no use yet: it waits for a kubelet, its Node, the API server or a
    /// permission. Reported once, and again when the same condition returns later.
    record Waiting(String message) implements DriverProblem {}

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
