/// The runtime of controllers: control loops that run on threads or step by step, their work queues
/// and shared informer caches, and the event recorder.
@NullMarked
package dev.berth.control.loop;

import org.jspecify.annotations.NullMarked;
