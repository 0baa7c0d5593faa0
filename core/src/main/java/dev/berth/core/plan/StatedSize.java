package dev.berth.core.plan;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;

/// A size for which room is made: a pod that does not exist, and its only claim.
public record StatedSize(Pod pod, ResourceClaim claim) {}
