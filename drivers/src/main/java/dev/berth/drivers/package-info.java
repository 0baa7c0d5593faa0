/// Drivers that come with Berth.
@NullMarked
package dev.berth.drivers;

import org.jspecify.annotations.NullMarked;
