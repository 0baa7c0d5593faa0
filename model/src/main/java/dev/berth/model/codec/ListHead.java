package dev.berth.model.codec;

import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.ScalarTypes;
import java.util.OptionalLong;

/// Metadata of a list: resource version and continue token.
///
/// @param continueToken empty for the last page
public record ListHead(
        String resourceVersion, String continueToken, OptionalLong remainingItemCount) {

    static final RecordMapping<ListHead> SHAPE =
            RecordMapping.partial(f -> {
                var version =
                        f.optional("resourceVersion", ScalarTypes.TEXT, ListHead::resourceVersion);
                var token = f.optional("continue", ScalarTypes.TEXT, ListHead::continueToken);
                var remaining =
                        f.number(
                                "remainingItemCount",
                                ScalarTypes.INT64,
                                ListHead::remainingItemCount);
                return in -> new ListHead(in.get(version), in.get(token), in.get(remaining));
            });
}
