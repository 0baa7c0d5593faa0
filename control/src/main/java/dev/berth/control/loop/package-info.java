/// Loops that can be run by threads or step by step: what they watch, what is left to do, and what
/// they tell people.
@NullMarked
package dev.berth.control.loop;

import org.jspecify.annotations.NullMarked;
