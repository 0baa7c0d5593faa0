/// Slices from a driver's desired devices: splitting, names, generations.
@NullMarked
package dev.berth.core.publish;

import org.jspecify.annotations.NullMarked;
