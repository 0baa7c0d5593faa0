/// Startup, liveness and readiness probes, and lifecycle hooks.
/// [ContainerProber][dev.berth.node.probe.ContainerProber] runs the probe workers of a container.
///
/// Unstable.
@NullMarked
package dev.berth.node.probe;

import org.jspecify.annotations.NullMarked;
