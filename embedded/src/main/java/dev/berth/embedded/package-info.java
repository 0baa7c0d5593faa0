/// A cluster in one process, for other programs and for tests: API server, controllers, scheduler
/// and simulated nodes. [EmbeddedBerth] starts it.
@NullMarked
package dev.berth.embedded;

import org.jspecify.annotations.NullMarked;
