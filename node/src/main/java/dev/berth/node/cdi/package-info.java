/// The Container Device Interface (CDI): specs that define how a container uses a device.
///
/// Specs are read, validated, resolved, applied to an OCI `config.json` and written by the rules of
/// the reference library, so that a container gets the same devices as from containerd, CRI-O and
/// podman. Use [CdiRegistry][dev.berth.node.cdi.CdiRegistry] to resolve devices, and
/// [CdiDirectory][dev.berth.node.cdi.CdiDirectory] to publish them.
///
/// Stable: public types change only with a new major version.
@NullMarked
package dev.berth.node.cdi;

import org.jspecify.annotations.NullMarked;
