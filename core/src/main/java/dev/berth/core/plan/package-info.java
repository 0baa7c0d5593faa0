/// What would happen: where the pods of a workload would go, and how many more nodes they need.
@NullMarked
package dev.berth.core.plan;

import org.jspecify.annotations.NullMarked;
