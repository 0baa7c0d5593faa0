/// Defragmentation: evictions that make room for pods that fit on no node. [Defragmenter] turns a
/// snapshot and pods into a [DefragmentPlan].
@NullMarked
package dev.berth.core.plan.defragment;

import org.jspecify.annotations.NullMarked;
