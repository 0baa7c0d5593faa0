/// Node lifecycle (heartbeats, taints, eviction) and garbage collection of pods and slices.
@NullMarked
package dev.berth.control.nodes;

import org.jspecify.annotations.NullMarked;
