/// Verifies allocations by the rules of Kubernetes, independent of the allocator that made them.
/// Shares no code with an allocator.
@NullMarked
package dev.berth.core.testkit.verify;

import org.jspecify.annotations.NullMarked;
