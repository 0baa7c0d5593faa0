/// `berth up`: API server, controllers, scheduler and simulated nodes in one process.
@NullMarked
package dev.berth.app.up;

import org.jspecify.annotations.NullMarked;
