/// Values of Dynamic Resource Allocation: API types, codec, JSON, quantities. Nothing here needs a
/// cluster.
@NullMarked
package dev.berth.model;

import org.jspecify.annotations.NullMarked;
