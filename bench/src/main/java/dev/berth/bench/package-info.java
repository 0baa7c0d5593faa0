/// Benchmarks of the allocator, CEL, snapshots and the object store.
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
