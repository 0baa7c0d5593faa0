package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import java.util.Locale;

/// What is done, in the words of authorization.
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

    static Verb of(ApiRequest asked, RequestTarget.OfObjects target) {
        var one = !target.name().isEmpty();
        return switch (asked.method()) {
            case "GET", "HEAD" -> {
                if (target.watching() || (asked.query().flag("watch") && !isSub(target))) {
                    yield WATCH;
                }
                yield one ? GET : LIST;
            }
            case "POST" -> {
                if (one && target.subresource().isEmpty()) {
                    throw ApiError.methodNotAllowed().exception();
                }
                yield CREATE;
            }
            case "PUT" -> needsName(UPDATE, one);
            case "PATCH" -> needsName(PATCH, one);
            case "DELETE" -> one ? DELETE : DELETECOLLECTION;
            default -> throw ApiError.methodNotAllowed().exception();
        };
    }

    private static boolean isSub(RequestTarget.OfObjects target) {
        return !target.subresource().isEmpty();
    }

    private static Verb needsName(Verb verb, boolean named) {
        if (!named) {
            throw ApiError.methodNotAllowed().exception();
        }
        return verb;
    }
}
