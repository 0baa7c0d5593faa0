/// Reading and writing of the API's kinds, and its versions.
///
/// Each type of the API is described once, as a
/// [RecordMapping][dev.berth.model.codec.RecordMapping]: its fields as JSON has them, how each is
/// taken from a record, and how a record is made from them. A "one of" is described by the plain
/// fields that JSON has for it; the sealed type is built from those. From the one description come
///
/// - reading, from a stream of JSON without a tree between, or from a tree (YAML);
/// - writing, to a stream or a tree, with Kubernetes' rules on what is left out;
/// - checking and tidying of trees that may be invalid, and so cannot become records: admission
///   needs `exactly` beside `firstAvailable` to be able to refuse it;
/// - the list of fields that are known.
///
/// Only the newest version of a kind has shapes. Older versions are converted as trees at the door
/// ([ApiVersions][dev.berth.model.codec.ApiVersions]).
///
/// Callers start at [Codec][dev.berth.model.codec.Codec] and [Kinds][dev.berth.model.codec.Kinds].
@NullMarked
package dev.berth.model.codec;

import org.jspecify.annotations.NullMarked;
