/// A whole cluster in one process.
@NullMarked
package dev.berth.app.up;

import org.jspecify.annotations.NullMarked;
