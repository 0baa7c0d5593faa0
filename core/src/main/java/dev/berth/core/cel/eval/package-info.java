/// Evaluation: a checked expression is lowered once into a tree of small nodes, which then run on
/// devices and count what they cost.
@NullMarked
package dev.berth.core.cel.eval;

import org.jspecify.annotations.NullMarked;
