/// The Container Device Interface: files that say what a container needs to use a device.
///
/// Documents are read, checked, looked up, applied to an OCI `config.json` and written by the rules
/// of the reference library, so that a container gets the same from us as from containerd, CRI-O
/// and podman. Start at [CdiRegistry][dev.berth.node.cdi.CdiRegistry] to use devices, and at
/// [CdiDirectory][dev.berth.node.cdi.CdiDirectory] to offer some.
///
/// Stable: what is public here changes only with a new major version.
@NullMarked
package dev.berth.node.cdi;

import org.jspecify.annotations.NullMarked;
