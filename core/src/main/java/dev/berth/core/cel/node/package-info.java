/// Nodes of a lowered CEL expression, one class per kind of expression, and the frame of an
/// evaluation.
@NullMarked
package dev.berth.core.cel.node;

import org.jspecify.annotations.NullMarked;
