package dev.berth.server.http;

import dev.berth.server.registry.Failure;
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

    static Verb of(Asked asked, Target.OfObjects target) {
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
                    throw Failure.methodNotAllowed().refused();
                }
                yield CREATE;
            }
            case "PUT" -> needsName(UPDATE, one);
            case "PATCH" -> needsName(PATCH, one);
            case "DELETE" -> one ? DELETE : DELETECOLLECTION;
            default -> throw Failure.methodNotAllowed().refused();
        };
    }

    private static boolean isSub(Target.OfObjects target) {
        return !target.subresource().isEmpty();
    }

    private static Verb needsName(Verb verb, boolean named) {
        if (!named) {
            throw Failure.methodNotAllowed().refused();
        }
        return verb;
    }
}
