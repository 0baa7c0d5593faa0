package dev.berth.core.explain.finding;

/// A reason why a pod is pending: the field to change, what is wrong, and the correction if it is
/// known.
///
/// @param problem what is wrong, with values
/// @param correction what to do about it; may be empty
public record Finding(ObjectField target, String problem, String correction) {

    public Finding(ObjectField target, String problem) {
        this(target, problem, "");
    }

    /// `ResourceClaim train, request gpu, count: 9 devices are requested, no node has more than 8`.
    /// The object and its field come first, so that they survive truncation.
    public String sentence() {
        return "%s: %s%s"
                .formatted(target.text(), problem, correction.isEmpty() ? "" : "; " + correction);
    }
}
