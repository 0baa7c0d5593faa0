/// Label selectors and node selectors.
@NullMarked
package dev.berth.model.api.selector;

import org.jspecify.annotations.NullMarked;
