package dev.berth.server.access;

import java.util.List;
import java.util.Map;

/// An authenticated user.
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    public static final String ANONYMOUS_NAME = "system:anonymous";

    /// The group whose members are allowed everything.
    public static final String MASTERS = "system:masters";

    public User {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    public static User of(String name, String... groups) {
        return new User(name, "", List.of(groups), Map.of());
    }

    public static User anonymous() {
        return of(ANONYMOUS_NAME, "system:unauthenticated");
    }
}
