/// The node's own HTTPS endpoint: logs of containers, and commands in them, as an API server asks a
/// kubelet for them.
@NullMarked
package dev.berth.node.endpoint;

import org.jspecify.annotations.NullMarked;
