/// Schemas of the built-in kinds: fields, their types, and how server-side apply and strategic
/// merge patches merge them. [Schemas] parses the resources `*.schema`, whose language
/// [SchemaReader] describes.
@NullMarked
package dev.berth.schema;

import org.jspecify.annotations.NullMarked;
