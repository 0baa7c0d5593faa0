/// `berth control`: the controllers as a process of their own.
@NullMarked
package dev.berth.app.control;

import org.jspecify.annotations.NullMarked;
