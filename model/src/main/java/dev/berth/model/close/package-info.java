/// Ordered release of resources.
@NullMarked
package dev.berth.model.close;

import org.jspecify.annotations.NullMarked;
