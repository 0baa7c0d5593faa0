/// Index of allocated devices. [Ledger] maps claims to the devices and shares that they hold, by
/// pool; [Holdings] is the sum that the allocator takes into account.
@NullMarked
package dev.berth.core.ledger;

import org.jspecify.annotations.NullMarked;
