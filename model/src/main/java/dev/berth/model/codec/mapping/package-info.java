/// The mapping of each record type of `model.api`.
@NullMarked
package dev.berth.model.codec.mapping;

import org.jspecify.annotations.NullMarked;
