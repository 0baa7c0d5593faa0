/// CEL values at run time: conversions, arithmetic, times, growing collections, and devices as CEL
/// sees them.
@NullMarked
package dev.berth.core.cel.value;

import org.jspecify.annotations.NullMarked;
