/// The table of built-in kinds, and the rules of each.
@NullMarked
package dev.berth.server.kinds;

import org.jspecify.annotations.NullMarked;
