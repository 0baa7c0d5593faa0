/// Findings of explanations: the fields to change so that a pending pod can be scheduled, the most
/// useful first.
@NullMarked
package dev.berth.core.explain.finding;

import org.jspecify.annotations.NullMarked;
