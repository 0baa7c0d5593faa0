/// Static cost estimates of CEL expressions, equal to those of Kubernetes. [CostEstimator] computes
/// them by interval arithmetic over sizes ([SizeRange]) and costs ([CostRange]).
@NullMarked
package dev.berth.core.cel.cost;

import org.jspecify.annotations.NullMarked;
