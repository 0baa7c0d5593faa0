package dev.berth.drivers.chardev;

import java.util.regex.Pattern;

/// Which device files are offered, and how.
///
/// @param kind what users ask for, such as `kvm`
/// @param path of files below `/dev`; files of which the first group is the same are one device,
///   and so are those without a group
/// @param together whether files of the same hardware are one device
/// @param permissions of `rwm`, for containers
record ChardevRule(
        String kind, Pattern path, boolean together, String permissions, ChardevSharing sharing) {

    static ChardevRule of(String kind, String path, ChardevSharing sharing) {
        return new ChardevRule(kind, Pattern.compile(path), false, "rw", sharing);
    }

    ChardevRule withPermissions(String newPermissions) {
        return new ChardevRule(kind, path, together, newPermissions, sharing);
    }

    ChardevRule withTogether() {
        return new ChardevRule(kind, path, true, permissions, sharing);
    }
}
