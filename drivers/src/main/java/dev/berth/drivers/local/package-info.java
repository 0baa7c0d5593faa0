/// The drivers for devices of this machine, by name, and what runs them.
@NullMarked
package dev.berth.drivers.local;

import org.jspecify.annotations.NullMarked;
