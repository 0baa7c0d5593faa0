package dev.berth.core.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/// A control that a pod violates.
///
/// @param reason the control: `privileged`
/// @param detail containers and values; may be empty
public record ControlViolation(String reason, String detail) {

    /// Reasons with details, as in rejections and warnings.
    public static String details(List<ControlViolation> violations) {
        return violations.stream()
                .map(one ->
                        one.detail.isEmpty()
                                ? one.reason
                                : "%s (%s)".formatted(one.reason, one.detail))
                .collect(Collectors.joining(", "));
    }

    /// Reasons alone, to summarise many pods.
    public static String reasons(List<ControlViolation> violations) {
        return violations.stream().map(ControlViolation::reason).collect(Collectors.joining(", "));
    }
}
