/// Decisions as pure functions of values: no I/O, clocks, threads, randomness or logging.
@NullMarked
package dev.berth.core;

import org.jspecify.annotations.NullMarked;
