package dev.berth.node.driver;

/// Prepares and unprepares claims: the interface that a DRA driver implements.
///
/// Calls are serialized and run on threads that may block. An exception fails the call: its message
/// appears in an event of the pod, and the kubelet retries.
///
/// @param <P> type of the driver's parameters, decoded by [#parameters]
public interface Driver<P> {

    /// Decoder of the driver's opaque configuration.
    Parameters<P> parameters();

    /// Makes the devices of a claim ready for its containers.
    ///
    /// Not called again for a claim that is prepared. Called again after a call that did not
    /// complete because it failed, the driver was killed or the machine rebooted. It must therefore
    /// be idempotent.
    PrepareResult prepare(ClaimAssignment<P> claim) throws Exception;

    /// Undoes [#prepare], complete or not; nothing of it may be left.
    ///
    /// Called again when it fails.
    void unprepare(PreparedClaim claim) throws Exception;
}
