/// Driver `cpu.berth.dev`: exclusive processor cores.
///
/// A device is a whole core with all its hardware threads, because workloads on the threads of one
/// core slow each other down and can observe each other (side channels).
@NullMarked
package dev.berth.drivers.cpu;

import org.jspecify.annotations.NullMarked;
