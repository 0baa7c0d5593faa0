/// The fleet: nodes with their devices, holders and states, as rows and columns of JSON that are
/// recomputed for changed nodes only. Numbers come from `core.utilisation`.
@NullMarked
package dev.berth.dashboard.fleet;

import org.jspecify.annotations.NullMarked;
