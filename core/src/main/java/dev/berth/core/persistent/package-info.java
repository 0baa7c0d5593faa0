/// Collections that are never changed: what is made of one shares nearly all of it.
@NullMarked
package dev.berth.core.persistent;

import org.jspecify.annotations.NullMarked;
