/// Reference allocator: the allocation rules of Kubernetes, written for obvious correctness instead
/// of speed. [ReferenceAllocator] is the entry point; tests compare the production allocator with
/// it.
@NullMarked
package dev.berth.core.testkit.reference;

import org.jspecify.annotations.NullMarked;
