/// Tables of claims, classes, slices, drivers, quotas and gangs; single objects and devices with
/// their events.
@NullMarked
package dev.berth.dashboard.table;

import org.jspecify.annotations.NullMarked;
