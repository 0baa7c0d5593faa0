/// Connections of the server to the endpoints of nodes, for container logs and exec.
@NullMarked
package dev.berth.server.nodes;

import org.jspecify.annotations.NullMarked;
