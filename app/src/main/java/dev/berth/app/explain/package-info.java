/// `berth explain`: explains why a pod or claim cannot be scheduled.
@NullMarked
package dev.berth.app.explain;

import org.jspecify.annotations.NullMarked;
