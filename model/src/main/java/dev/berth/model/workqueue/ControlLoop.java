package dev.berth.model.workqueue;

import java.time.Instant;
import java.util.Optional;

/// A control loop that works in small steps.
///
/// The time is a parameter, so that a simulation can run it as well as threads can. Several threads
/// may run steps at once.
public interface ControlLoop {

    /// Runs one step; false when nothing is due.
    boolean step(Instant now);

    /// When the next step is due: a time in the past for now, empty until a watched object changes.
    Optional<Instant> nextDue();

    /// Registers a callback for when a step may be due earlier than [#nextDue] returned.
    void onWake(Runnable wake);
}
