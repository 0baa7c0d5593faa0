package dev.berth.client.workqueue;

import java.time.Duration;

/// What came of working on a key.
public sealed interface WorkResult {

    /// Nothing is left to do until it is added again.
    record Done() implements WorkResult {}

    /// It failed; to be tried again after a while, longer each time.
    record Retry(String why) implements WorkResult {}

    /// To be looked at again after that time.
    record Again(Duration after) implements WorkResult {}

    WorkResult DONE = new Done();
}
