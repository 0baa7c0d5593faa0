package dev.berth.drivers.chardev;

import java.util.regex.Pattern;

/// Which device files are offered, and how.
///
/// @param kind what users ask for, such as `kvm`
/// @param path of files below `/dev`; files of which the first group is the same are one device,
///   and so are those without a group
/// @param together whether files of the same hardware are one device
/// @param permissions of `rwm`, for containers
record Rule(String kind, Pattern path, boolean together, String permissions, Sharing sharing) {

    static Rule of(String kind, String path, Sharing sharing) {
        return new Rule(kind, Pattern.compile(path), false, "rw", sharing);
    }

    Rule withPermissions(String newPermissions) {
        return new Rule(kind, path, together, newPermissions, sharing);
    }

    Rule withTogether() {
        return new Rule(kind, path, true, permissions, sharing);
    }
}
