package dev.berth.drivers.chardev;

import java.util.regex.Pattern;

/// A rule that publishes device files.
///
/// @param kind value of the attribute `kind`, such as `kvm`
/// @param path pattern of paths below `/dev`; files with the same first group form one device, as
///   do all files if there is no group
/// @param together whether files of the same hardware form one device
/// @param permissions cgroup permissions for containers, of `rwm`
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
