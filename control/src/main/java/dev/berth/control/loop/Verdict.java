package dev.berth.control.loop;

import dev.berth.client.Outcome;
import java.time.Instant;

/// What came of a piece of work.
public sealed interface Verdict {

    /// Nothing is left until something changes.
    record Done() implements Verdict {}

    /// It did not work out; try again, later each time.
    record Retry(String why) implements Verdict {}

    /// There is something to do at a time.
    record Again(Instant at) implements Verdict {}

    Verdict DONE = new Done();

    /// What to make of an answer when an object that is gone needs nothing more.
    static Verdict of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done _, Outcome.Missing _ -> DONE;
            case Outcome.Conflict(var message) -> new Retry(message);
            case Outcome.Exists(var message) -> new Retry(message);
            case Outcome.Refused(_, _, var message) -> new Retry(message);
            case Outcome.Unavailable(var message) -> new Retry(message);
        };
    }
}
