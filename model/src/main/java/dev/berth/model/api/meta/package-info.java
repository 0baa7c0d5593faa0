/// Metadata of objects: names, UIDs, labels, owners and conditions, and the base types of enums and
/// maps in records.
@NullMarked
package dev.berth.model.api.meta;

import org.jspecify.annotations.NullMarked;
