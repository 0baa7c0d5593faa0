/// Decoding and encoding of API kinds, and conversion between API versions.
///
/// Each type of the API has one declarative
/// [RecordMapping][dev.berth.model.codec.record.RecordMapping]: its JSON fields, the record
/// component of each, and the construction of the record. A "one of" is declared by its plain JSON
/// fields; the sealed type is constructed from those. The one mapping serves
///
/// - decoding, from a JSON stream without an intermediate tree, or from a tree (YAML);
/// - encoding, to a stream or a tree, with the `omitempty` rules of Kubernetes;
/// - checking and canonicalising trees that may be invalid and so cannot become records: admission
///   must see `exactly` beside `firstAvailable` to reject it;
/// - the list of known fields.
///
/// Only the newest version of a kind has mappings. Older versions are converted as trees on input
/// and output ([ApiVersions][dev.berth.model.codec.ApiVersions]).
///
/// Entry points are [Codec][dev.berth.model.codec.Codec] and [Kinds][dev.berth.model.codec.Kinds].
@NullMarked
package dev.berth.model.codec;

import org.jspecify.annotations.NullMarked;
