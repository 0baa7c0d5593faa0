package dev.berth.client.workqueue;

import java.time.Duration;

/// The result of processing a key.
public sealed interface WorkResult {

    /// Nothing is left to do until the key is added again.
    record Done() implements WorkResult {}

    /// Processing failed; the key is retried with exponential back-off.
    record Retry(String why) implements WorkResult {}

    /// The key is processed again after a delay.
    record RequeueAfter(Duration after) implements WorkResult {}

    WorkResult DONE = new Done();
}
