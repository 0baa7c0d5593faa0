/// Schemas in the API server. [SchemaFieldCheck] decodes built-in kinds, [StructuralSchema]
/// validates, prunes and defaults custom resources, and [OpenApi] publishes both.
@NullMarked
package dev.berth.server.schema;

import org.jspecify.annotations.NullMarked;
