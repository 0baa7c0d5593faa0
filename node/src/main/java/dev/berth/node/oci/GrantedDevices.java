package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;

/// Which devices the configuration of a container gives it.
///
/// runc before 1.2 lets every container open `/dev/net/tun`, whatever its configuration says. With
/// control groups of the first version that can be taken back before the container starts; with
/// those of the second it takes a newer runc.
final class GrantedDevices {

    /// Any use of `/dev/net/tun`, as control groups spell it.
    static final String TUN_RULE = "c 10:200 rwm";

    private static final long TUN_MAJOR = 10;
    private static final long TUN_MINOR = 200;

    private GrantedDevices() {}

    /// Whether a container is meant to have `/dev/net/tun`.
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
