/// Depth-first search for devices. [DeviceSearch] is the search, [DeviceSymmetry] skips
/// interchangeable devices, [FailedStateCache] recognises failed states.
@NullMarked
package dev.berth.core.allocate.search;

import org.jspecify.annotations.NullMarked;
