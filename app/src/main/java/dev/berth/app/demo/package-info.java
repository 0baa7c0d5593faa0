/// `berth demo`: what Berth can do today, on examples that need no cluster and no hardware.
@NullMarked
package dev.berth.app.demo;

import org.jspecify.annotations.NullMarked;
