/// The runtime of controllers: control loops that run on threads or step by step, their work queues
/// and shared informer caches, and deletion of pods.
@NullMarked
package dev.berth.control.loop;

import org.jspecify.annotations.NullMarked;
