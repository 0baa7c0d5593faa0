/// Atomic, durable and private files.
@NullMarked
package dev.berth.model.file;

import org.jspecify.annotations.NullMarked;
