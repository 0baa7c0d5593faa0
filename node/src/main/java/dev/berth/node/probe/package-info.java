/// Questions to containers: whether they have started, are alive, are ready.
///
/// Unstable: this grows.
@NullMarked
package dev.berth.node.probe;

import org.jspecify.annotations.NullMarked;
