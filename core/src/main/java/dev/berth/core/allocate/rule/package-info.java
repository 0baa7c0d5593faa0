/// Rules of an allocation: enabled features, tolerated errors, rounding of capacity.
@NullMarked
package dev.berth.core.allocate.rule;

import org.jspecify.annotations.NullMarked;
