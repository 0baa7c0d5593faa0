/// Volumes of pods: directories of the node, created before a pod starts and removed after it has
/// terminated. [VolumeMounter][dev.berth.node.volume.VolumeMounter] is the entry point.
///
/// Unstable.
@NullMarked
package dev.berth.node.volume;

import org.jspecify.annotations.NullMarked;
