package dev.berth.model.workqueue;

import java.time.Instant;

/// The result of reconciling a key.
public sealed interface WorkResult {

    /// Nothing to do until the key is added again.
    record Done() implements WorkResult {}

    /// It failed; the key is retried with exponential back-off.
    record Retry(String why) implements WorkResult {}

    /// Reconcile again at a time.
    record RequeueAt(Instant at) implements WorkResult {}

    WorkResult DONE = new Done();
}
