package dev.berth.app.scenario;

import java.util.List;

/// Whether something is as expected.
sealed interface Verdict {

    /// It is.
    ///
    /// @param sight what was seen then
    record Met(List<PodStory> stories, Sight sight) implements Verdict {}

    /// It is not, or not yet.
    record NotYet(String reason) implements Verdict {}
}
