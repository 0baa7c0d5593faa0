/// The node's HTTPS endpoint, the counterpart of the kubelet's: serves container logs, exec, pods
/// and metrics to the API server. [NodeEndpoint][dev.berth.node.endpoint.NodeEndpoint] is the entry
/// point.
@NullMarked
package dev.berth.node.endpoint;

import org.jspecify.annotations.NullMarked;
