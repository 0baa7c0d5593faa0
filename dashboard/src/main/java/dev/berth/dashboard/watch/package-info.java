/// The watched objects of the cluster: caches, missing permissions, and a snapshot for `core` that
/// is updated by change.
@NullMarked
package dev.berth.dashboard.watch;

import org.jspecify.annotations.NullMarked;
