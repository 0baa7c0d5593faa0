/// `berth status` and `berth down`: clusters of `berth up` on this machine.
@NullMarked
package dev.berth.app.lifecycle;

import org.jspecify.annotations.NullMarked;
