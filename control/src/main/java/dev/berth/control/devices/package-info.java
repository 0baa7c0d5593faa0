/// Controllers for devices: device taint eviction and ResourcePoolStatusRequests.
@NullMarked
package dev.berth.control.devices;

import org.jspecify.annotations.NullMarked;
