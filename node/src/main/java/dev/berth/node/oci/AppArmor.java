package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SecurityProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// AppArmor of this machine.
///
/// @param enabled the kernel's file with `Y` if AppArmor is enabled
/// @param profiles the kernel's list of loaded profiles, such as `name (enforce)`
record AppArmor(Path enabled, Path profiles) {

    /// The files of the Linux kernel.
    static final AppArmor OF_KERNEL =
            new AppArmor(
                    Path.of("/sys/module/apparmor/parameters/enabled"),
                    Path.of("/sys/kernel/security/apparmor/profiles"));

    /// The name of the profile that a container gets; empty for none.
    ///
    /// @throws RuntimeFailure when the machine cannot enforce the profile
    Optional<String> profile(SecurityProfile requested) throws RuntimeFailure {
        if (requested instanceof SecurityProfile.Unconfined) {
            return Optional.empty();
        }
        if (!text(enabled).strip().equals("Y")) {
            throw new RuntimeFailure(
                    "Cannot enforce AppArmor: AppArmor is not enabled on the host");
        }
        return switch (requested) {
            case SecurityProfile.Unconfined _ -> Optional.empty();
            case SecurityProfile.RuntimeDefault _ ->
                    throw new RuntimeFailure(
                            "the oci runtime has no AppArmor profile RuntimeDefault; load a profile"
                                    + " and name it with type Localhost");
            case SecurityProfile.Localhost(var name) -> Optional.of(loaded(name));
        };
    }

    private String loaded(String name) throws RuntimeFailure {
        var isLoaded =
                text(profiles)
                        .lines()
                        .map(line -> line.substring(0, Math.max(0, line.lastIndexOf(" ("))))
                        .anyMatch(name::equals);
        if (!isLoaded) {
            throw new RuntimeFailure(
                    "AppArmor profile \"%s\" is not loaded; load it with apparmor_parser"
                            .formatted(name));
        }
        return name;
    }

    private static String text(Path file) throws RuntimeFailure {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new RuntimeFailure("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }
}
