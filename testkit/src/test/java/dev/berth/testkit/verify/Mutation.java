package dev.berth.testkit.verify;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A change that breaks a rule.
///
/// @param symptom what the verifier must say
/// @param applies whether the change breaks the rule for sure
record Mutation(
        String name, String symptom, Predicate<Judged> applies, UnaryOperator<Judged> change) {

    static Mutation always(String name, String symptom, UnaryOperator<Judged> change) {
        return new Mutation(name, symptom, _ -> true, change);
    }
}
