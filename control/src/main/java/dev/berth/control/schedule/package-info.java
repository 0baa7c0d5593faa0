/// The scheduler: executes the decisions of `core.schedule`.
///
/// [Scheduler] is the entry point. One thread owns all state, so that no state here needs a lock:
///
/// - a [KindView] per watched kind applies watch events to [ClusterView],
/// - [QueueAdmission] decides which pods enter the queue,
/// - [SchedulingLoop] takes the next pod, decides, and assumes the placement,
/// - [BindingPipeline] executes the commands of `core.schedule.BindingRules`. Writes run on other
///   threads, and their answers return as messages.
///
/// **Concurrent schedulers.** Resource versions prevent two schedulers from allocating one claim.
/// Two claims with one device need a second check: after a claim is written, its pod is bound only
/// when the watch has shown that write, and thus every write before it. If another scheduler
/// allocated the same device in between, or any device of a pool with shared counters, the later of
/// the two writes is deallocated before a pod can use it.
@NullMarked
package dev.berth.control.schedule;

import org.jspecify.annotations.NullMarked;
