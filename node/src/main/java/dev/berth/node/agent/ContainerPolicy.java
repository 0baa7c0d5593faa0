package dev.berth.node.agent;

import dev.berth.node.runtime.LogLimits;

/// What a node decides for all its containers.
///
/// @param hasSeccompDefault true when containers without a seccomp profile get `RuntimeDefault`
public record ContainerPolicy(LogLimits logs, boolean hasSeccompDefault) {

    /// As a kubelet without configuration.
    public static final ContainerPolicy USUAL = new ContainerPolicy(LogLimits.USUAL, false);
}
