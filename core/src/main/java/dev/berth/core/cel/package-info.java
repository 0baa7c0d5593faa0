/// CEL for devices: compiling, costing, evaluating and explaining selectors and derived attributes.
@NullMarked
package dev.berth.core.cel;

import org.jspecify.annotations.NullMarked;
