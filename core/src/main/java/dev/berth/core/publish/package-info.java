/// ResourceSlices from a driver's desired pools: splitting into slices, names, generations.
@NullMarked
package dev.berth.core.publish;

import org.jspecify.annotations.NullMarked;
