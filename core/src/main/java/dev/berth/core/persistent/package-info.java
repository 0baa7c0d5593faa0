/// Immutable collections with structural sharing.
@NullMarked
package dev.berth.core.persistent;

import org.jspecify.annotations.NullMarked;
