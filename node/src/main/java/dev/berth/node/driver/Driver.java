package dev.berth.node.driver;

/// What a driver does for claims.
///
/// Calls come one after the other, on threads that may block. An exception fails the call with its
/// message, which people see in an event of their pod; the kubelet tries again.
///
/// @param <P> what [#parameters] makes of the driver's configuration
public interface Driver<P> {

    /// How the driver's parameters are read.
    Parameters<P> parameters();

    /// Makes devices ready for the containers that use a claim.
    ///
    /// Is not called again for a claim that is prepared. It is called again when an earlier call
    /// did not end, because it failed, the driver was killed or the machine was started anew; so
    /// what is there already must not be in its way.
    PrepareResult prepare(ClaimAssignment<P> claim) throws Exception;

    /// Takes back what [#prepare] did, as far as it came; nothing of it may be left.
    ///
    /// Is called again when it fails.
    void unprepare(PreparedClaim claim) throws Exception;
}
