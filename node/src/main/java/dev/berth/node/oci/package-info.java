/// Container runtime by `conmon` and `runc`, without a daemon.
/// [OciRuntime][dev.berth.node.oci.OciRuntime] is the entry point; this package sets up namespaces,
/// network, root file systems and `config.json`, and keeps a record of each sandbox and container
/// on disk.
@NullMarked
package dev.berth.node.oci;

import org.jspecify.annotations.NullMarked;
