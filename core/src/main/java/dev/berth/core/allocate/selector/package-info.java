/// CEL selectors of device requests, evaluated once per distinct combination of the attribute
/// values that they read.
@NullMarked
package dev.berth.core.allocate.selector;

import org.jspecify.annotations.NullMarked;
