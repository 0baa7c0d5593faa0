/// Published devices: ResourceSlices, pools, attributes, capacity, counters, and the status of
/// pools.
@NullMarked
package dev.berth.model.api.slice;

import org.jspecify.annotations.NullMarked;
