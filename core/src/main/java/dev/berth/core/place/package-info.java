/// Where a pod can go: what nodes have left, who they take, and which devices they can give.
@NullMarked
package dev.berth.core.place;

import org.jspecify.annotations.NullMarked;
