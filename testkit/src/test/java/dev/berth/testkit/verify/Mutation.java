package dev.berth.testkit.verify;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A change that violates a rule.
///
/// @param symptom expected part of the verifier's message
/// @param applies whether the change certainly violates the rule
record Mutation(
        String name,
        String symptom,
        Predicate<VerifiedAllocation> applies,
        UnaryOperator<VerifiedAllocation> change) {

    static Mutation always(String name, String symptom, UnaryOperator<VerifiedAllocation> change) {
        return new Mutation(name, symptom, _ -> true, change);
    }
}
