package dev.berth.client.work;

import java.time.Duration;

/// What came of working on a key.
public sealed interface Verdict {

    /// Nothing is left to do until it is added again.
    record Done() implements Verdict {}

    /// It failed; to be tried again after a while, longer each time.
    record Retry(String why) implements Verdict {}

    /// To be looked at again after that time.
    record Again(Duration after) implements Verdict {}

    Verdict DONE = new Done();
}
