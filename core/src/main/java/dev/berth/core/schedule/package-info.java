/// Scheduling decisions without I/O: the order of pods, their placement, and the steps that bind
/// them.
///
/// [SchedulingQueue] orders pending pods. [PlacementDecider] returns a [SchedulingDecision] for one
/// pod, whose rejections determine the cluster events after which it is tried again. [BindingRules]
/// is the state machine from a decision to a bound pod: it maps a [BindingStage] and a
/// [BindingEvent] to the next stage and its [BindingCommand]s. Queue and decider have state and
/// belong to one thread; time is passed in.
@NullMarked
package dev.berth.core.schedule;

import org.jspecify.annotations.NullMarked;
