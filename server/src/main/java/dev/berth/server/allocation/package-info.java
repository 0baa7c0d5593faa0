/// Protects devices against being allocated more than once or beyond their capacity.
/// [AllocationGuard] checks writes of ResourceClaims against [AllocationIndex].
@NullMarked
package dev.berth.server.allocation;

import org.jspecify.annotations.NullMarked;
