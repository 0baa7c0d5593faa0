package dev.berth.core.disruption;

/// The scale of the controller that owns a pod, for the expected number of pods of a budget.
public sealed interface OwnerScale {

    /// The desired replicas of a controller.
    ///
    /// @param uid identifies the controller; for a pod of a Deployment, that of the Deployment
    record Replicas(String uid, long count) implements OwnerScale {}

    /// The controller does not exist, or its kind is unknown.
    record NotFound() implements OwnerScale {}

    /// The kind of the controller has no scale.
    ///
    /// @param resource such as `jobs.batch`
    record NotScalable(String resource) implements OwnerScale {}
}
