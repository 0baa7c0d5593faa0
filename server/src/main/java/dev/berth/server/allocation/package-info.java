/// Protects devices against being allocated more than once or beyond their capacity.
@NullMarked
package dev.berth.server.allocation;

import org.jspecify.annotations.NullMarked;
