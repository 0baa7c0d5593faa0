package dev.berth.control.loop;

import dev.berth.client.RequestResult;
import java.time.Instant;

/// What came of a piece of work.
public sealed interface ReconcileResult {

    /// Nothing is left until something changes.
    record Done() implements ReconcileResult {}

    /// It did not work out; try again, later each time.
    record Retry(String why) implements ReconcileResult {}

    /// There is something to do at a time.
    record RequeueAt(Instant at) implements ReconcileResult {}

    ReconcileResult DONE = new Done();

    /// What to make of an answer when an object that is gone needs nothing more.
    static ReconcileResult of(RequestResult outcome) {
        return switch (outcome) {
            case RequestResult.Done _, RequestResult.Missing _ -> DONE;
            case RequestResult.Conflict(var message) -> new Retry(message);
            case RequestResult.Exists(var message) -> new Retry(message);
            case RequestResult.Refused(_, _, var message) -> new Retry(message);
            case RequestResult.Unavailable(var message) -> new Retry(message);
        };
    }
}
