/// The fields of every kind: what may be there, of which type, merged in which way.
@NullMarked
package dev.berth.server.schema;

import org.jspecify.annotations.NullMarked;
