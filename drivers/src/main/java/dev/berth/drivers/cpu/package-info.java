/// Exclusive processor cores: `cpu.berth.dev`.
///
/// A device is a whole core with all its hardware threads, because what runs on one thread of a
/// core slows down and can watch what runs on the others.
@NullMarked
package dev.berth.drivers.cpu;

import org.jspecify.annotations.NullMarked;
