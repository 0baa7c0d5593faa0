/// DRA drivers that Berth includes: for devices of the machine that it runs on, and simulated ones.
@NullMarked
package dev.berth.drivers;

import org.jspecify.annotations.NullMarked;
