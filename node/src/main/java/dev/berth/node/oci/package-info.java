/// Containers by `conmon` and `runc`, without a daemon: namespaces, network, root file systems and
/// `config.json` are made here, and what there is stands on the disk.
@NullMarked
package dev.berth.node.oci;

import org.jspecify.annotations.NullMarked;
