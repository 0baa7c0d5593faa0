package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.server.access.User;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// An API request, independent of the HTTP library.
///
/// @param headers the values of a header by its name
public record ApiRequest(
        String method,
        RequestTarget target,
        RequestQuery query,
        User user,
        Function<String, List<String>> headers,
        Body body) {

    /// The body of a request.
    sealed interface Body {

        /// An encoded body from an HTTP client.
        ///
        /// @param bytes reads the body; rejects one that is too large
        /// @param unknownFields counts fields of protobuf bodies that were skipped
        record Text(Supplier<byte[]> bytes, LongConsumer unknownFields) implements Body {}

        /// A decoded body from an in-process client; empty when there is none.
        record Value(Optional<Json> json) implements Body {}
    }

    /// The first value of a header; empty when there is none.
    public String header(String name) {
        var values = headers.apply(name);
        return values.isEmpty() ? "" : values.getFirst();
    }

    /// The content type without parameters.
    public String contentType() {
        var type = header("Content-Type");
        var end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip();
    }

    MediaNegotiation media(MediaNegotiation.Offer offer) {
        return MediaNegotiation.of(headers.apply("Accept"), offer);
    }
}
