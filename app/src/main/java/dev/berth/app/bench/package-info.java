/// `berth bench`: benchmarks of the API server, the scheduler and placement.
@NullMarked
package dev.berth.app.bench;

import org.jspecify.annotations.NullMarked;
