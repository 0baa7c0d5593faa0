/// Hardware that is not there: nodes from profiles, their drivers' slices, and pods that seem to
/// run.
@NullMarked
package dev.berth.drivers.sim;

import org.jspecify.annotations.NullMarked;
