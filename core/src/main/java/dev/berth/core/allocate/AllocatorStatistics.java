package dev.berth.core.allocate;

/// Counters of an allocator since its creation.
///
/// @param singleDevice requests for one device, answered without a search
/// @param cached requests answered by the result of an earlier search
/// @param searches complete searches
/// @param steps steps of all searches
/// @param impossible searches that ended before the first step, since a bound proved that the
///   request has no solution
/// @param deadEnds branches of searches that a bound proved to be dead ends
/// @param undecided searches that reached the step limit
public record AllocatorStatistics(
        long singleDevice,
        long cached,
        long searches,
        long steps,
        long impossible,
        long deadEnds,
        long undecided) {}
