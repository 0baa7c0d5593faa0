/// Clusters of `berth up` that run on this machine: their data directories, processes and
/// addresses.
@NullMarked
package dev.berth.app.running;

import org.jspecify.annotations.NullMarked;
