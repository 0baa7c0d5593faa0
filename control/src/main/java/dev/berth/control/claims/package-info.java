/// Carries out the life of claims.
@NullMarked
package dev.berth.control.claims;

import org.jspecify.annotations.NullMarked;
