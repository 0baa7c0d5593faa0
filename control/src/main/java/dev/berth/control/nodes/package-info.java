/// The life of nodes, and what is left of pods.
@NullMarked
package dev.berth.control.nodes;

import org.jspecify.annotations.NullMarked;
