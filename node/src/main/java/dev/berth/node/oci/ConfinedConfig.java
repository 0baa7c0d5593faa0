package dev.berth.node.oci;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SecurityProfile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// Adds seccomp and AppArmor profiles to the configuration of a container, or refuses those that
/// this machine cannot enforce.
final class ConfinedConfig {

    private final JsonObject config;
    private final Security security;

    private ConfinedConfig(JsonObject config, Security security) {
        this.config = config;
        this.security = security;
    }

    static JsonObject of(JsonObject config, Security security, AppArmor appArmor)
            throws RuntimeFailure {
        return new ConfinedConfig(config, security).tree(appArmor);
    }

    private JsonObject tree(AppArmor appArmor) throws RuntimeFailure {
        refuseSeLinux();
        var confined = config;
        var seccomp = seccomp();
        if (seccomp.isPresent()) {
            confined =
                    confined.with(
                            "linux",
                            confined.objectOrEmpty("linux").with("seccomp", seccomp.get()));
        }
        var profile = appArmorProfile(appArmor);
        return profile.isEmpty()
                ? confined
                : confined.with(
                        "process",
                        confined.objectOrEmpty("process")
                                .with("apparmorProfile", Json.of(profile.get())));
    }

    /// Privileged containers have no seccomp filter, whatever their pod specifies, as with
    /// containerd.
    private Optional<JsonObject> seccomp() throws RuntimeFailure {
        if (security.isPrivileged()) {
            return Optional.empty();
        }
        return switch (security.confinement().seccomp()) {
            case SecurityProfile.Unconfined _ -> Optional.empty();
            case SecurityProfile.RuntimeDefault _ ->
                    Optional.of(
                            new DefaultSeccomp(
                                            System.getProperty("os.arch", ""),
                                            System.getProperty("os.version", ""))
                                    .profile(capabilities()));
            case SecurityProfile.Localhost(var file) ->
                    Optional.of(SeccompFile.read(Path.of(file)));
        };
    }

    private Set<String> capabilities() {
        return Set.copyOf(
                config.objectOrEmpty("process").objectOrEmpty("capabilities").strings("bounding"));
    }

    private Optional<String> appArmorProfile(AppArmor appArmor) throws RuntimeFailure {
        var requested = security.confinement().appArmor();
        var isDropped =
                security.isPrivileged()
                        && requested
                                .filter(SecurityProfile.RuntimeDefault.class::isInstance)
                                .isPresent();
        return requested.isEmpty() || isDropped
                ? Optional.empty()
                : appArmor.profile(requested.get());
    }

    private void refuseSeLinux() throws RuntimeFailure {
        if (!security.confinement().seLinux().isEmpty() && !security.isPrivileged()) {
            throw new RuntimeFailure(
                    "seLinuxOptions cannot be applied: the oci runtime does not set SELinux labels;"
                            + " remove them, or use --runtime cri on a machine with SELinux");
        }
    }
}
