package dev.berth.node.pod;

import java.nio.file.Path;

/// What a node adds to the `securityContext` of its pods.
///
/// @param seccompProfiles the directory of `Localhost` seccomp profiles
/// @param hasSeccompDefault true when containers without a seccomp profile get `RuntimeDefault`, as
///   with `--seccomp-default` of a kubelet
public record SecurityDefaults(Path seccompProfiles, boolean hasSeccompDefault) {}
