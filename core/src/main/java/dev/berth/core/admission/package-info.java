/// The rules at the door: defaults, feature gates, dropped fields and validation of every kind.
@NullMarked
package dev.berth.core.admission;

import org.jspecify.annotations.NullMarked;
