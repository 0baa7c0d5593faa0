package dev.berth.node.agent;

import dev.berth.node.runtime.LogLimits;

/// Settings of the node for all its containers.
///
/// @param hasSeccompDefault true if containers without a seccomp profile get `RuntimeDefault`
public record ContainerPolicy(LogLimits logs, boolean hasSeccompDefault) {

    /// The kubelet's defaults.
    public static final ContainerPolicy DEFAULT = new ContainerPolicy(LogLimits.DEFAULT, false);
}
