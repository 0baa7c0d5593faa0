/// Scores of the placement policy `pack`: what pods request ([LearnedDemand], learned from a
/// snapshot), what a node can still serve ([NodeSupply]), and the cost of a placement
/// ([PackingCosts]).
@NullMarked
package dev.berth.core.place.pack;

import org.jspecify.annotations.NullMarked;
