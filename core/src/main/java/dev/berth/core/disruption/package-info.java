/// Rules of PodDisruptionBudgets: their status, and pods whose disruption did not take place.
@NullMarked
package dev.berth.core.disruption;

import org.jspecify.annotations.NullMarked;
