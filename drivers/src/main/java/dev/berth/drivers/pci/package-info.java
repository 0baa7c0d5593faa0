/// Driver `pci.berth.dev`: PCI functions, selected by rules.
///
/// A container accesses a function through VFIO, with its registers and interrupts, or through the
/// device files that the kernel driver creates for it.
@NullMarked
package dev.berth.drivers.pci;

import org.jspecify.annotations.NullMarked;
