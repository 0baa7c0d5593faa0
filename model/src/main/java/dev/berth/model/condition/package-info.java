/// Conditions of statuses as trees.
@NullMarked
package dev.berth.model.condition;

import org.jspecify.annotations.NullMarked;
