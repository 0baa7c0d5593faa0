package dev.berth.node.pod;

import java.nio.file.Path;

/// Defaults of a node for the `securityContext` of its pods.
///
/// @param seccompProfiles the directory of `Localhost` seccomp profiles
/// @param hasSeccompDefault true if containers without a seccomp profile get `RuntimeDefault`, as
///   with the kubelet's `--seccomp-default`
public record SecurityDefaults(Path seccompProfiles, boolean hasSeccompDefault) {}
