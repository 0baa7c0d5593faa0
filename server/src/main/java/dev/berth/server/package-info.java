/// A Kubernetes-compatible API server. [ApiServer] runs it with threads and a listener,
/// [SteppedServer] without either, for simulations. [ServerAssembly] wires the components of both.
/// Entry point: [ApiServer#start].
@NullMarked
package dev.berth.server;

import org.jspecify.annotations.NullMarked;
