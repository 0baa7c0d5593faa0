package dev.berth.core.utilisation;

/// How many requests of one size fit. Only devices are considered: not CPU, memory or other
/// resources of nodes.
///
/// @param now the number of requests that can be allocated at the same time now
/// @param together the number that could be allocated if free devices were together: if holders
///   moved to other devices of the same kind. An upper bound: constraints of the holders are not
///   considered
/// @param isExact false when `now` is a lower bound, because the search was ended at its limit or
///   devices of several nodes and of one node would have to be combined
public record Fit(FitSize size, long now, long together, boolean isExact) {

    /// The number for devices with unlimited shares.
    public static final long UNLIMITED = Long.MAX_VALUE;
}
