package dev.berth.node.pod;

import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.Confinement;
import dev.berth.node.runtime.Confinement.SeLinuxOptions;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.ImageUser;
import dev.berth.node.runtime.SecurityProfile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The effective `securityContext` of a container; its own fields override the pod's.
///
/// Every field is either part of the settings or refused, so that no container runs with less
/// protection than its pod specifies. The runtime checks what depends on the machine, such as
/// whether a profile exists.
final class SecurityContext {

    private final PodDefinition pod;
    private final ContainerDefinition container;
    private final ImageConfig image;
    private final SecurityDefaults defaults;
    private final JsonObject ofPod;
    private final JsonObject own;

    SecurityContext(
            PodDefinition pod,
            ContainerDefinition container,
            ImageConfig image,
            SecurityDefaults defaults) {
        this.pod = pod;
        this.container = container;
        this.image = image;
        this.defaults = defaults;
        this.ofPod = pod.spec().objectOrEmpty("securityContext");
        this.own = container.tree().objectOrEmpty("securityContext");
    }

    Security settings() throws InvalidContainerException {
        refuseUnsupported();
        var user = number("runAsUser");
        if (own.flag("runAsNonRoot").or(() -> ofPod.flag("runAsNonRoot")).orElse(false)) {
            checkNonRoot(user);
        }
        var capabilities = own.objectOrEmpty("capabilities");
        return new Security(
                user.isPresent() ? Optional.of(String.valueOf(user.getAsLong())) : Optional.empty(),
                number("runAsGroup"),
                groups(),
                hasStrictGroups(),
                own.flag("privileged").orElse(false),
                own.flag("readOnlyRootFilesystem").orElse(false),
                own.flag("allowPrivilegeEscalation").orElse(true),
                capabilities.strings("add"),
                capabilities.strings("drop"),
                new Confinement(seccomp(), appArmor(), seLinux()));
    }

    private OptionalLong number(String field) {
        return own.number(field).isPresent() ? own.number(field) : ofPod.number(field);
    }

    private Optional<JsonObject> object(String field) {
        return own.object(field).or(() -> ofPod.object(field));
    }

    private void refuseUnsupported() throws InvalidContainerException {
        if (!pod.spec().flag("hostUsers").orElse(true)) {
            throw unsupported(
                    "hostUsers: false requires a user namespace, which this node does not support;"
                            + " remove hostUsers");
        }
        var procMount = own.string("procMount").orElse("Default");
        if (!procMount.equals("Default")) {
            throw unsupported(
                    "procMount: %s needs a user namespace, which this node does not support; remove"
                                    .formatted(procMount)
                            + " procMount");
        }
        if (!own.objectOrEmpty("windowsOptions").isEmpty()
                || !ofPod.objectOrEmpty("windowsOptions").isEmpty()) {
            throw unsupported("windowsOptions are for Windows; this node runs Linux");
        }
    }

    private InvalidContainerException unsupported(String problem) {
        return new InvalidContainerException(
                "CreateContainerError", "container %s: %s".formatted(container.name(), problem));
    }

    private List<Long> groups() {
        var groups = new ArrayList<Long>();
        for (var group : ofPod.items("supplementalGroups")) {
            if (group instanceof JsonNumber number) {
                number.asLong().ifPresent(groups::add);
            }
        }
        ofPod.number("fsGroup").ifPresent(groups::add);
        return groups;
    }

    private boolean hasStrictGroups() throws InvalidContainerException {
        var policy = ofPod.string("supplementalGroupsPolicy").orElse("Merge");
        return switch (policy) {
            case "Merge" -> false;
            case "Strict" -> true;
            default ->
                    throw unsupported("supplementalGroupsPolicy: %s is unknown".formatted(policy));
        };
    }

    /// As `verifyRunAsNonRoot` of the kubelet.
    private void checkNonRoot(OptionalLong user) throws InvalidContainerException {
        if (user.isPresent()) {
            if (user.getAsLong() == 0) {
                throw notNonRoot("container's runAsUser breaks non-root policy", "change it");
            }
            return;
        }
        var ofImage = ImageUser.parse(image.user());
        if (ofImage.uid().isEmpty()) {
            throw notNonRoot(
                    "container has runAsNonRoot and image has non-numeric user (%s), cannot verify"
                                    .formatted(ofImage.name())
                            + " user is non-root",
                    "set runAsUser");
        }
        var uid = ofImage.uid().getAsLong();
        if (uid == 0) {
            throw notNonRoot(
                    "container has runAsNonRoot and image will run as root", "set runAsUser");
        }
        if (!ImageUser.isValidId(uid)) {
            throw notNonRoot(
                    "container has runAsNonRoot and image has user %d, which Linux does not have"
                            .formatted(uid),
                    "set runAsUser");
        }
    }

    private InvalidContainerException notNonRoot(String problem, String remedy) {
        return InvalidContainerException.config(
                "%s (pod: \"%s_%s(%s)\", container: %s); %s"
                        .formatted(
                                problem,
                                pod.ref().name(),
                                pod.ref().namespace(),
                                pod.uid(),
                                container.name(),
                                remedy));
    }

    private SecurityProfile seccomp() throws InvalidContainerException {
        var profile = object("seccompProfile");
        if (profile.isEmpty()) {
            return defaults.hasSeccompDefault()
                    ? SecurityProfile.RUNTIME_DEFAULT
                    : SecurityProfile.UNCONFINED;
        }
        var chosen = profile(profile.get(), "seccompProfile");
        return chosen instanceof SecurityProfile.Localhost(var name)
                ? new SecurityProfile.Localhost(seccompFile(name).toString())
                : chosen;
    }

    private Path seccompFile(String name) throws InvalidContainerException {
        var root = defaults.seccompProfiles();
        try {
            var relative = Path.of(name);
            var file = root.resolve(relative).normalize();
            if (!relative.isAbsolute() && file.startsWith(root) && !file.equals(root)) {
                return file;
            }
        } catch (InvalidPathException _) {
            // Refused below, like other paths that cannot be below the directory.
        }
        throw InvalidContainerException.config(
                "container %s: localhostProfile \"%s\" of seccompProfile is not a path below %s"
                        .formatted(container.name(), name, root));
    }

    private Optional<SecurityProfile> appArmor() throws InvalidContainerException {
        var profile = object("appArmorProfile");
        return profile.isPresent()
                ? Optional.of(profile(profile.get(), "appArmorProfile"))
                : Optional.empty();
    }

    private SecurityProfile profile(JsonObject tree, String field)
            throws InvalidContainerException {
        var type = tree.text("type");
        var reference = tree.text("localhostProfile");
        if (type.equals("Localhost") && reference.isEmpty()) {
            throw InvalidContainerException.config(
                    "container %s: localhostProfile must be set if %s type is Localhost"
                            .formatted(container.name(), field));
        }
        return switch (type) {
            case "RuntimeDefault" -> SecurityProfile.RUNTIME_DEFAULT;
            case "Unconfined" -> SecurityProfile.UNCONFINED;
            case "Localhost" -> new SecurityProfile.Localhost(reference);
            default ->
                    throw InvalidContainerException.config(
                            "container %s: %s has the unknown type \"%s\""
                                    .formatted(container.name(), field, type));
        };
    }

    private SeLinuxOptions seLinux() {
        var options = object("seLinuxOptions").orElse(JsonObject.EMPTY);
        return new SeLinuxOptions(
                options.text("user"),
                options.text("role"),
                options.text("type"),
                options.text("level"));
    }
}
