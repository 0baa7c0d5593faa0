package dev.berth.server.http.request;

import dev.berth.server.access.User;
import dev.berth.server.operation.Verb;
import dev.berth.server.registry.ApiError;
import java.util.List;
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

    /// The encoded body of a request.
    ///
    /// @param bytes reads the body; rejects one that is too large
    /// @param unknownFields counts fields of protobuf bodies that were skipped
    public record Body(Supplier<byte[]> bytes, LongConsumer unknownFields) {}

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

    /// The verb of the request for a path of resources; rejects methods that the path does not
    /// have.
    public Verb verb(RequestTarget.ResourcePath resourcePath) {
        var path = resourcePath.path();
        var isNamed = !path.name().isEmpty();
        return switch (method) {
            case "GET", "HEAD" -> {
                if (resourcePath.watch() || (query.flag("watch") && path.subresource().isEmpty())) {
                    yield Verb.WATCH;
                }
                yield isNamed ? Verb.GET : Verb.LIST;
            }
            case "POST" -> {
                if (isNamed && path.subresource().isEmpty()) {
                    throw ApiError.methodNotAllowed().exception();
                }
                yield Verb.CREATE;
            }
            case "PUT" -> requireName(Verb.UPDATE, isNamed);
            case "PATCH" -> requireName(Verb.PATCH, isNamed);
            case "DELETE" -> isNamed ? Verb.DELETE : Verb.DELETECOLLECTION;
            default -> throw ApiError.methodNotAllowed().exception();
        };
    }

    private static Verb requireName(Verb verb, boolean isNamed) {
        if (!isNamed) {
            throw ApiError.methodNotAllowed().exception();
        }
        return verb;
    }
}
