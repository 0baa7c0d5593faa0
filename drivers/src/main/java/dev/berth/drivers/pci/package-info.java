/// PCI functions by rule: `pci.berth.dev`.
///
/// A container gets a function through VFIO, with its registers and interrupts, or through the
/// device files that the machine's own driver has made for it.
@NullMarked
package dev.berth.drivers.pci;

import org.jspecify.annotations.NullMarked;
