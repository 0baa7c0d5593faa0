/// Schemas in the API server. [StructuralSchema] validates, prunes and defaults custom resources,
/// and [OpenApi] publishes them and the built-in kinds.
@NullMarked
package dev.berth.server.schema;

import org.jspecify.annotations.NullMarked;
