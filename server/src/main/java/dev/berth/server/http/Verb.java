package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import java.util.Locale;

/// The verb of a request, as in authorization.
enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    UPDATE,
    PATCH,
    DELETE,
    DELETECOLLECTION;

    private final String word = name().toLowerCase(Locale.ROOT);

    String word() {
        return word;
    }

    boolean isRead() {
        return this == GET || this == LIST || this == WATCH;
    }

    static Verb of(ApiRequest request, RequestTarget.ResourcePath target) {
        var isNamed = !target.name().isEmpty();
        return switch (request.method()) {
            case "GET", "HEAD" -> {
                if (target.watch() || (request.query().flag("watch") && !isSubresource(target))) {
                    yield WATCH;
                }
                yield isNamed ? GET : LIST;
            }
            case "POST" -> {
                if (isNamed && target.subresource().isEmpty()) {
                    throw ApiError.methodNotAllowed().exception();
                }
                yield CREATE;
            }
            case "PUT" -> requireName(UPDATE, isNamed);
            case "PATCH" -> requireName(PATCH, isNamed);
            case "DELETE" -> isNamed ? DELETE : DELETECOLLECTION;
            default -> throw ApiError.methodNotAllowed().exception();
        };
    }

    private static boolean isSubresource(RequestTarget.ResourcePath target) {
        return !target.subresource().isEmpty();
    }

    private static Verb requireName(Verb verb, boolean named) {
        if (!named) {
            throw ApiError.methodNotAllowed().exception();
        }
        return verb;
    }
}
