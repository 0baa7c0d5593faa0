/// The history of a day: samples of utilisation, and the intervals in which claims held devices.
/// Kept in memory with bounds, and in one file that survives a restart.
@NullMarked
package dev.berth.dashboard.history;

import org.jspecify.annotations.NullMarked;
