package dev.berth.model.codec;

import java.util.OptionalLong;

/// What a list says besides its items: the revision it shows, and how to get the rest.
///
/// @param continueToken empty when this is all
public record ListHead(
        String resourceVersion, String continueToken, OptionalLong remainingItemCount) {

    static final Shape<ListHead> SHAPE =
            Shape.partial(f -> {
                var version =
                        f.optional("resourceVersion", Scalars.TEXT, ListHead::resourceVersion);
                var token = f.optional("continue", Scalars.TEXT, ListHead::continueToken);
                var remaining =
                        f.number("remainingItemCount", Scalars.INT64, ListHead::remainingItemCount);
                return in -> new ListHead(in.get(version), in.get(token), in.get(remaining));
            });
}
