package dev.berth.app.conformance;

import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// One kind of recorded question, and how our answer to it is compared.
interface Suite {

    /// How our answer differs from the recorded one; empty when it is the same.
    Optional<Difference> compare(JsonObject recorded);

    /// Why a case does not apply, such as a kind that Kubernetes 1.37 does not have; empty when it
    /// does.
    default Optional<String> absent(JsonObject recorded) {
        return Optional.empty();
    }

    /// The two answers, in the words of the suite.
    record Difference(String expected, String actual) {}
}
