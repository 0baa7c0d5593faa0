/// Controllers inside the server: garbage collection by owner references, namespaces and event
/// expiry. Entry point: [ServerControllers].
@NullMarked
package dev.berth.server.lifecycle;

import org.jspecify.annotations.NullMarked;
