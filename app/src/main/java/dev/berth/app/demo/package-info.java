/// `berth demo`: example scenarios for all features of device allocation.
@NullMarked
package dev.berth.app.demo;

import org.jspecify.annotations.NullMarked;
