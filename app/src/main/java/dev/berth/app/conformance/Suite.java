package dev.berth.app.conformance;

import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// A kind of recorded cases and the comparison of our results with them.
interface Suite {

    /// The difference between our result and the recorded one; empty when they are equal.
    Optional<Difference> compare(JsonObject recorded);

    /// The reason why a case does not apply, such as a kind that Kubernetes 1.37 does not have;
    /// empty when it applies.
    default Optional<String> absent(JsonObject recorded) {
        return Optional.empty();
    }

    /// The two results as text.
    record Difference(String expected, String actual) {}
}
