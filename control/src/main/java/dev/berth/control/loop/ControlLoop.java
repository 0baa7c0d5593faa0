package dev.berth.control.loop;

import java.time.Instant;
import java.util.Optional;

/// Something that goes on for as long as a cluster lives, one small piece of work at a time.
///
/// Time is given, so that a simulation can run it as well as threads can. Steps may be taken by
/// several threads at once.
public interface ControlLoop {

    /// Does one piece of work; false when nothing is due.
    boolean step(Instant now);

    /// When there will be something to do: a time in the past for now, none until something
    /// happens.
    Optional<Instant> nextDue();

    /// Has somebody told when there may be something to do earlier than was said.
    void onWake(Runnable wake);
}
