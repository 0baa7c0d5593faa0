/// Evictions because of devices, questions about pools, slices of nodes that are gone.
@NullMarked
package dev.berth.control.devices;

import org.jspecify.annotations.NullMarked;
