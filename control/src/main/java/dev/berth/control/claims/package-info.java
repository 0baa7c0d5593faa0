/// The ResourceClaim controller.
@NullMarked
package dev.berth.control.claims;

import org.jspecify.annotations.NullMarked;
