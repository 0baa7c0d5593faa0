/// `berth schedule`: the scheduler as a process of its own.
@NullMarked
package dev.berth.app.schedule;

import org.jspecify.annotations.NullMarked;
