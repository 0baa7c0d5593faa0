/// Controllers: control loops that carry out the decisions of `core`.
/// [dev.berth.control.ControlPlane] starts them; each controller watches informer caches, queues
/// the keys of changed objects, and reconciles one key at a time. The scheduler is in
/// `control.schedule`.
@NullMarked
package dev.berth.control;

import org.jspecify.annotations.NullMarked;
