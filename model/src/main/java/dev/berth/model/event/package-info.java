/// Kubernetes events, and the rules by which equal and similar events become one object
/// (client-go's `EventCorrelator`), without I/O and with the time as a parameter.
@NullMarked
package dev.berth.model.event;

import org.jspecify.annotations.NullMarked;
