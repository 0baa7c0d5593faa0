/// Writes ResourceSlices.
@NullMarked
package dev.berth.node.slices;

import org.jspecify.annotations.NullMarked;
