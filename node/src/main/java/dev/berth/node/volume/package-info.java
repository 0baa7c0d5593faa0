/// The volumes of pods: directories of the node, made before a pod starts and gone after it has
/// ended.
///
/// Unstable: this grows.
@NullMarked
package dev.berth.node.volume;

import org.jspecify.annotations.NullMarked;
