/// Loops that carry out what the core decides.
@NullMarked
package dev.berth.control;

import org.jspecify.annotations.NullMarked;
