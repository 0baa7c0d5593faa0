/// Benchmarks of what must be fast.
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
