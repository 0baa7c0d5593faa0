/// Protobuf encoding of the Kubernetes API, driven by the schemas and one table of field numbers.
@NullMarked
package dev.berth.schema.protobuf;

import org.jspecify.annotations.NullMarked;
