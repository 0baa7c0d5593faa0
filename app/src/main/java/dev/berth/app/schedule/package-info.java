/// `berth schedule`: the scheduler as a program of its own.
@NullMarked
package dev.berth.app.schedule;

import org.jspecify.annotations.NullMarked;
