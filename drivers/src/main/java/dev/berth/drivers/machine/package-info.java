/// What the drivers for real devices have in common: programs of the machine, what the machine
/// needs for itself, hooks, and what a driver remembers of a claim.
@NullMarked
package dev.berth.drivers.machine;

import org.jspecify.annotations.NullMarked;
