/// Network interfaces: `nic.berth.dev`.
///
/// A device is an interface of the machine, which moves into the pod's network and comes back; or
/// something of which interfaces are made for claims, as many as there are slots.
@NullMarked
package dev.berth.drivers.nic;

import org.jspecify.annotations.NullMarked;
