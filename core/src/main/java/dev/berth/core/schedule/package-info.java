/// Scheduling decisions without I/O: the order of pods, their placement, and the message for pods
/// that do not fit.
///
/// [SchedulingQueue] orders pending pods, [PlacementDecider] returns a [SchedulingDecision] for one
/// pod, whose rejections determine the cluster events after which it is tried again. Queue and
/// decider have state and belong to one thread; time is passed in.
@NullMarked
package dev.berth.core.schedule;

import org.jspecify.annotations.NullMarked;
