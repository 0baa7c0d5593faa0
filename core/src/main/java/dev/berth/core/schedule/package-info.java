/// What a scheduler decides: which pod is next, where it goes, what to say of one that goes
/// nowhere.
///
/// The queue and the decider keep state between calls and belong to one thread; time is passed in.
@NullMarked
package dev.berth.core.schedule;

import org.jspecify.annotations.NullMarked;
