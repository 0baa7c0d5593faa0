package dev.berth.core.testkit.verify;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A change that violates a rule.
///
/// @param symptom expected part of the verifier's message
/// @param applies whether the change certainly violates the rule
record AllocationMutation(
        String name,
        String symptom,
        Predicate<VerifiedAllocation> applies,
        UnaryOperator<VerifiedAllocation> change) {

    static AllocationMutation always(
            String name, String symptom, UnaryOperator<VerifiedAllocation> change) {
        return new AllocationMutation(name, symptom, _ -> true, change);
    }
}
