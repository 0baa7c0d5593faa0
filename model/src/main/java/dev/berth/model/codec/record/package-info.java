/// Mappings between JSON objects and records: fields, presence rules, scalar types, lists, maps and
/// unions. [RecordMapping] is the description of one record type.
@NullMarked
package dev.berth.model.codec.record;

import org.jspecify.annotations.NullMarked;
