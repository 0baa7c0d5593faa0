/// Driver `nic.berth.dev`: network interfaces.
///
/// A device is either an interface of the machine, which is moved into the network namespace of the
/// pod and back, or a source (macvlan parent or veth) of which interfaces are created for claims,
/// up to its number of slots.
@NullMarked
package dev.berth.drivers.nic;

import org.jspecify.annotations.NullMarked;
