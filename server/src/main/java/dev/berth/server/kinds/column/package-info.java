/// Table columns of the built-in kinds, as `kubectl get` prints them.
@NullMarked
package dev.berth.server.kinds.column;

import org.jspecify.annotations.NullMarked;
