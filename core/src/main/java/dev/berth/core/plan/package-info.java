/// Capacity planning: where the pods of a workload would be placed, and how many more nodes they
/// need. [Planner] turns a [PlanInput] into a [Plan].
@NullMarked
package dev.berth.core.plan;

import org.jspecify.annotations.NullMarked;
