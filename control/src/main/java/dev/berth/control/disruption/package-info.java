/// The controller of PodDisruptionBudgets.
@NullMarked
package dev.berth.control.disruption;

import org.jspecify.annotations.NullMarked;
