/// Pending pods by cause, and the explanation of one pod or claim.
@NullMarked
package dev.berth.dashboard.pending;

import org.jspecify.annotations.NullMarked;
