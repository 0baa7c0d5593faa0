/// A Kubernetes-compatible API server. [ServerAssembly] wires its components, [ApiServer] runs them
/// with threads and a listener. Entry point: [ApiServer#start].
@NullMarked
package dev.berth.server;

import org.jspecify.annotations.NullMarked;
