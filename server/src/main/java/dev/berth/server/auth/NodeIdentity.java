package dev.berth.server.auth;

import dev.berth.server.access.User;
import java.util.Optional;

/// Maps users to nodes.
public final class NodeIdentity {

    public static final String PREFIX = "system:node:";
    public static final String GROUP = "system:nodes";

    private NodeIdentity() {}

    /// The name of the node that a user identifies; empty for other users.
    public static Optional<String> of(User user) {
        return user.name().startsWith(PREFIX) && user.groups().contains(GROUP)
                ? Optional.of(user.name().substring(PREFIX.length()))
                : Optional.empty();
    }

    /// The user of a node.
    public static User user(String node) {
        return User.of(PREFIX + node, GROUP, "system:authenticated");
    }
}
