package dev.berth.server.auth;

import java.util.List;
import java.util.Optional;

/// A service account, by namespace and name.
public record ServiceAccountName(String namespace, String name) {

    private static final String PREFIX = "system:serviceaccount:";
    private static final String GROUP = "system:serviceaccounts";

    static ServiceAccountName of(String namespace, String name) {
        return new ServiceAccountName(namespace, name);
    }

    /// The service account of a user name; empty for other users.
    public static Optional<ServiceAccountName> ofUser(String userName) {
        if (!userName.startsWith(PREFIX)) {
            return Optional.empty();
        }
        var parts = userName.substring(PREFIX.length()).split(":", -1);
        return parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty()
                ? Optional.of(new ServiceAccountName(parts[0], parts[1]))
                : Optional.empty();
    }

    public String userName() {
        return PREFIX + namespace + ":" + name;
    }

    /// The groups of the account, without `system:authenticated`.
    public List<String> groups() {
        return List.of(GROUP, GROUP + ":" + namespace);
    }
}
