/// Worst-case cost estimates: interval arithmetic over sizes and costs.
@NullMarked
package dev.berth.core.cel.cost;

import org.jspecify.annotations.NullMarked;
