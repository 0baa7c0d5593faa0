/// `berth driver`: a driver for devices of this machine as a process of its own.
@NullMarked
package dev.berth.app.driver;

import org.jspecify.annotations.NullMarked;
