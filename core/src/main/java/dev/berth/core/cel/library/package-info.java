/// The functions that device expressions may call: one class a library, each with declaration,
/// meaning and cost.
@NullMarked
package dev.berth.core.cel.library;

import org.jspecify.annotations.NullMarked;
