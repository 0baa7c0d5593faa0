/// Decisions of the controllers of claims, pods, nodes, pools and volumes: what to create, release,
/// evict or delete, as commands that `control` executes.
@NullMarked
package dev.berth.core.lifecycle;

import org.jspecify.annotations.NullMarked;
