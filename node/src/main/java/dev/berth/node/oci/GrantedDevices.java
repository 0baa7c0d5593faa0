package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;

/// Device permissions of a container's configuration.
///
/// runc before 1.2 allows every container to open `/dev/net/tun`, whatever its configuration says.
/// With cgroup v1 the permission can be revoked before the container starts; with v2 it takes a
/// newer runc.
final class GrantedDevices {

    /// Device rule for any access to `/dev/net/tun`.
    static final String TUN_RULE = "c 10:200 rwm";

    private static final long TUN_MAJOR = 10;
    private static final long TUN_MINOR = 200;

    private GrantedDevices() {}

    /// True if the configuration allows `/dev/net/tun`.
    static boolean hasTun(JsonObject config) {
        return config.objectOrEmpty("linux").objectOrEmpty("resources").objects("devices").stream()
                .anyMatch(GrantedDevices::allowsTun);
    }

    private static boolean allowsTun(JsonObject rule) {
        return rule.flag("allow").orElse(false)
                && !rule.text("type").equals("b")
                && rule.number("major").orElse(TUN_MAJOR) == TUN_MAJOR
                && rule.number("minor").orElse(TUN_MINOR) == TUN_MINOR;
    }
}
