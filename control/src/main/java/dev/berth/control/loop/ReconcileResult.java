package dev.berth.control.loop;

import dev.berth.client.RequestResult;
import java.time.Instant;

/// The result of reconciling a key.
public sealed interface ReconcileResult {

    /// Nothing to do until a watched object changes.
    record Done() implements ReconcileResult {}

    /// It failed; retried with exponential back-off.
    record Retry(String why) implements ReconcileResult {}

    /// Reconcile again at a time.
    record RequeueAt(Instant at) implements ReconcileResult {}

    ReconcileResult DONE = new Done();

    /// The result of a request after which nothing is left to do; a missing object is a success.
    static ReconcileResult of(RequestResult result) {
        return switch (result) {
            case RequestResult.Done _, RequestResult.Missing _ -> DONE;
            case RequestResult.Conflict(var message) -> new Retry(message);
            case RequestResult.Exists(var message) -> new Retry(message);
            case RequestResult.Refused(_, _, var message) -> new Retry(message);
            case RequestResult.Unavailable(var message) -> new Retry(message);
        };
    }
}
