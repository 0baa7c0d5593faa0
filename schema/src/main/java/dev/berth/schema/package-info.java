/// Schemas of the built-in kinds: fields, their types and how writers' values are merged. Read from
/// the resources `*.schema`.
@NullMarked
package dev.berth.schema;

import org.jspecify.annotations.NullMarked;
