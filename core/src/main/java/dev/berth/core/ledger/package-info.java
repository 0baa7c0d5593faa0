/// Who holds a device, a share of one, or a counter.
@NullMarked
package dev.berth.core.ledger;

import org.jspecify.annotations.NullMarked;
