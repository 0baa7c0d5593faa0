/// The berth command: wiring and the command line.
@NullMarked
package dev.berth.app;

import org.jspecify.annotations.NullMarked;
