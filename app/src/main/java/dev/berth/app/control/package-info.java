/// `berth control`: the controllers as a program of their own.
@NullMarked
package dev.berth.app.control;

import org.jspecify.annotations.NullMarked;
