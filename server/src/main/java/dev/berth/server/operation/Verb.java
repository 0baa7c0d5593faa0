package dev.berth.server.operation;

import java.util.Locale;

/// The verb of a request, as in authorization.
public enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    UPDATE,
    PATCH,
    DELETE,
    DELETECOLLECTION;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public boolean isRead() {
        return this == GET || this == LIST || this == WATCH;
    }

    boolean isOfCollection() {
        return this == LIST || this == WATCH || this == DELETECOLLECTION;
    }
}
