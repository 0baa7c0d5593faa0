/// `berth bench placement`: replays traces of pod arrivals and measures how well the policies place
/// them.
@NullMarked
package dev.berth.app.bench.placement;

import org.jspecify.annotations.NullMarked;
