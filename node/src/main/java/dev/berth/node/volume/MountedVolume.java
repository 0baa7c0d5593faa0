package dev.berth.node.volume;

import java.nio.file.Path;

/// A volume of a pod that is ready to be mounted in containers.
///
/// @param path on the node; containers can write below it, and cannot replace it
/// @param isReadOnly true if containers must not write it, whatever their mounts specify
public record MountedVolume(Path path, boolean isReadOnly) {}
