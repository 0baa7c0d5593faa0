package dev.berth.node.driver;

import java.util.List;

/// A problem that occurs outside of a call of the kubelet, so there is no response that could carry
/// it. The driver keeps running.
public sealed interface DriverProblem {

    /// The problem in one sentence, for administrators.
    String message();

    /// The driver cannot work yet: it waits for a kubelet, its Node, the API server or a
    /// permission. Reported once, and again when the same condition returns later.
    record Waiting(String message) implements DriverProblem {}

    /// The API server rejects the slices. The driver does not retry until other devices are
    /// published.
    record DevicesRefused(String message) implements DriverProblem {}

    /// The API server stored a slice without some fields that were published, most likely because a
    /// feature gate is off.
    ///
    /// @param slice name of the ResourceSlice
    /// @param fields paths of the missing fields
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

    /// The kubelet discovered the driver but did not register it.
    record RegistrationRefused(String message) implements DriverProblem {}

    /// The driver could not write a claim's `status.devices`. The claim stays usable.
    record StatusWriteFailed(ClaimRef claim, String reason) implements DriverProblem {
        @Override
        public String message() {
            return "claim %s: its status could not be written: %s".formatted(claim, reason);
        }
    }
}
