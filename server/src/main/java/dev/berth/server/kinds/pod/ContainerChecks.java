package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ObjectChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Validates the containers of a pod.
public final class ContainerChecks {

    private static final List<String> PULL = List.of("Always", "IfNotPresent", "Never");
    private static final List<String> MESSAGES = List.of("FallbackToLogsOnError", "File");
    public static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
    private static final List<String> PROPAGATION =
            List.of("Bidirectional", "HostToContainer", "None");
    private static final int PORT_MAX = 65535;
    private static final int PORT_NAME_MAX = 15;
    private static final Pattern PORT_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    private static final Pattern VARIABLE = Pattern.compile("[\\x20-\\x3c\\x3e-\\x7e]+");
    private static final List<String> VARIABLE_SOURCES =
            List.of(
                    "fieldRef",
                    "resourceFieldRef",
                    "configMapKeyRef",
                    "secretKeyRef",
                    "fileKeyRef");

    private final ObjectChecks checks;
    private final JsonObject spec;
    private final Set<String> volumes;
    private final Set<String> names = new HashSet<>();
    private final Set<String> hostPorts = new HashSet<>();

    ContainerChecks(ObjectChecks checks, JsonObject spec, Set<String> volumes) {
        this.checks = checks;
        this.spec = spec;
        this.volumes = volumes;
    }

    void all(FieldPath path) {
        if (spec.items("containers").isEmpty()) {
            checks.required(path.child("containers"), "");
        }
        checks.each(
                spec,
                "containers",
                path,
                (container, at) -> {
                    container(container, at);
                    hostPorts(container, at);
                });
        checks.each(spec, "initContainers", path, this::initContainer);
        checks.each(spec, "ephemeralContainers", path, this::ephemeralContainer);
    }

    private void initContainer(JsonObject container, FieldPath path) {
        container(container, path);
        if (container.text("restartPolicy").equals("Always")) {
            hostPorts(container, path);
            return;
        }
        for (var name : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
            if (container.has(name)) {
                checks.forbidden(
                        path.child(name),
                        "may not be set for init containers without restartPolicy=Always");
            }
        }
    }

    private void ephemeralContainer(JsonObject container, FieldPath path) {
        container(container, path);
        for (var name :
                List.of("ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle")) {
            if (container.has(name)) {
                checks.forbidden(path.child(name), "cannot be set for an Ephemeral Container");
            }
        }
        if (!container.objectOrEmpty("resources").isEmpty()) {
            checks.forbidden(path.child("resources"), "cannot be set for an Ephemeral Container");
        }
        var target = container.text("targetContainerName");
        if (!target.isEmpty()
                && !PodChecks.containerNames(spec, "containers").contains(target)
                && !PodChecks.containerNames(spec, "initContainers").contains(target)) {
            checks.add(FieldError.notFound(path.child("targetContainerName"), target, ""));
        }
    }

    private void container(JsonObject container, FieldPath path) {
        name(container, path);
        var image = container.text("image");
        if (image.isEmpty()) {
            checks.required(path.child("image"), "");
        } else if (!image.equals(image.strip())) {
            checks.invalid(
                    path.child("image"), image, "must not have leading or trailing whitespace");
        }
        checks.oneOf(container, "imagePullPolicy", path, PULL);
        checks.oneOf(container, "terminationMessagePolicy", path, MESSAGES);
        checks.optionalOneOf(container, "restartPolicy", path, PodChecks.RESTARTS);
        ports(container, path);
        variables(container, path);
        mounts(container, path);
        ResourceChecks.requirements(
                container.objectOrEmpty("resources"), path.child("resources"), checks);
        probe(container, "livenessProbe", path, true);
        probe(container, "readinessProbe", path, false);
        probe(container, "startupProbe", path, true);
        lifecycle(container, path.child("lifecycle"));
        security(container.objectOrEmpty("securityContext"), path.child("securityContext"));
    }

    private void name(JsonObject container, FieldPath path) {
        var name = container.text("name");
        if (!checks.text(container, "name", path)) {
            return;
        }
        checks.label(name, path.child("name"));
        if (!names.add(name)) {
            checks.add(FieldError.duplicate(path.child("name"), Json.of(name)));
        }
    }

    private void ports(JsonObject container, FieldPath path) {
        var seen = new HashSet<String>();
        checks.each(
                container,
                "ports",
                path,
                (port, at) -> {
                    var name = port.text("name");
                    if (!name.isEmpty()) {
                        portName(name, at.child("name"), checks);
                        if (!seen.add(name)) {
                            checks.add(FieldError.duplicate(at.child("name"), Json.of(name)));
                        }
                    }
                    if (port.number("containerPort").orElse(0) == 0) {
                        checks.required(at.child("containerPort"), "");
                    } else {
                        checks.between(port, "containerPort", at, 1, PORT_MAX);
                    }
                    if (port.number("hostPort").orElse(0) != 0) {
                        checks.between(port, "hostPort", at, 1, PORT_MAX);
                        sameOnHost(port, at);
                    }
                    checks.oneOf(port, "protocol", at, PROTOCOLS);
                });
    }

    private void sameOnHost(JsonObject port, FieldPath path) {
        if (spec.flag("hostNetwork").orElse(false)
                && !port.number("hostPort").equals(port.number("containerPort"))) {
            checks.invalid(
                    path.child("containerPort"),
                    Json.of(port.number("containerPort").orElse(0)),
                    "must match `hostPort` when `hostNetwork` is true");
        }
    }

    private void hostPorts(JsonObject container, FieldPath path) {
        checks.each(
                container,
                "ports",
                path,
                (port, at) -> {
                    var number = port.number("hostPort").orElse(0);
                    var key = port.text("protocol") + "/" + port.text("hostIP") + "/" + number;
                    if (number != 0 && !hostPorts.add(key)) {
                        checks.add(FieldError.duplicate(at.child("hostPort"), Json.of(key)));
                    }
                });
    }

    /// Validates the name of a port of a container or a service.
    public static void portName(String name, FieldPath path, ObjectChecks checks) {
        if (name.length() > PORT_NAME_MAX) {
            checks.invalid(path, name, "must be no more than 15 characters");
        }
        if (!PORT_NAME.matcher(name).matches()) {
            checks.invalid(
                    path,
                    name,
                    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(Character::isAlphabetic)) {
            checks.invalid(path, name, "must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            checks.invalid(path, name, "must not contain consecutive hyphens");
        }
    }

    private void variables(JsonObject container, FieldPath path) {
        checks.each(
                container,
                "env",
                path,
                (variable, at) -> {
                    var name = variable.text("name");
                    if (checks.text(variable, "name", at) && !VARIABLE.matcher(name).matches()) {
                        checks.invalid(
                                at.child("name"),
                                name,
                                "a valid environment variable name must consist only of printable "
                                        + "ASCII characters other than '='");
                    }
                    variable.object("valueFrom").ifPresent(from -> valueFrom(variable, from, at));
                });
        checks.each(
                container,
                "envFrom",
                path,
                (source, at) -> {
                    var set =
                            List.of("configMapRef", "secretRef").stream()
                                    .filter(source::has)
                                    .toList();
                    if (set.isEmpty()) {
                        checks.invalid(
                                at, "", "must specify one of: `configMapRef` or `secretRef`");
                    } else if (set.size() > 1) {
                        checks.invalid(
                                at, "", "may not have more than one field specified at a time");
                    }
                    set.forEach(
                            one -> checks.text(source.objectOrEmpty(one), "name", at.child(one)));
                });
    }

    private void valueFrom(JsonObject variable, JsonObject from, FieldPath path) {
        var at = path.child("valueFrom");
        var set = VARIABLE_SOURCES.stream().filter(from::has).toList();
        if (!variable.text("value").isEmpty() && !set.isEmpty()) {
            checks.invalid(at, "", "may not be specified when `value` is not empty");
        }
        if (set.isEmpty()) {
            checks.invalid(
                    at,
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                            + "`secretKeyRef` or `fileKeyRef`");
        } else if (set.size() > 1) {
            checks.invalid(at, "", "may not have more than one field specified at a time");
        }
        for (var name : List.of("configMapKeyRef", "secretKeyRef")) {
            from.object(name)
                    .ifPresent(ref -> {
                        checks.text(ref, "name", at.child(name));
                        checks.text(ref, "key", at.child(name));
                    });
        }
        from.object("fieldRef")
                .ifPresent(ref -> checks.text(ref, "fieldPath", at.child("fieldRef")));
        from.object("resourceFieldRef")
                .ifPresent(ref -> checks.text(ref, "resource", at.child("resourceFieldRef")));
    }

    private void mounts(JsonObject container, FieldPath path) {
        var paths = new HashSet<String>();
        checks.each(
                container,
                "volumeMounts",
                path,
                (mount, at) -> {
                    mounted(mount, at);
                    var where = mount.text("mountPath");
                    if (checks.text(mount, "mountPath", at) && !paths.add(where)) {
                        checks.invalid(at.child("mountPath"), where, "must be unique");
                    }
                    checks.optionalOneOf(mount, "mountPropagation", at, PROPAGATION);
                    if (!mount.text("subPath").isEmpty() && !mount.text("subPathExpr").isEmpty()) {
                        checks.invalid(
                                at.child("subPathExpr"),
                                mount.text("subPathExpr"),
                                "subPathExpr and subPath are mutually exclusive");
                    }
                    for (var name : List.of("subPath", "subPathExpr")) {
                        VolumeChecks.insidePath(mount.text(name), at.child(name), checks);
                    }
                });
        checks.each(
                container,
                "volumeDevices",
                path,
                (device, at) -> {
                    mounted(device, at);
                    if (checks.text(device, "devicePath", at)
                            && !paths.add(device.text("devicePath"))) {
                        checks.invalid(
                                at.child("devicePath"),
                                device.text("devicePath"),
                                "must be unique");
                    }
                });
    }

    private void mounted(JsonObject mount, FieldPath path) {
        if (checks.text(mount, "name", path) && !volumes.contains(mount.text("name"))) {
            checks.add(FieldError.notFound(path.child("name"), mount.text("name"), ""));
        }
    }

    private void probe(JsonObject container, String name, FieldPath path, boolean oneSuccess) {
        container
                .object(name)
                .ifPresent(probe -> {
                    var at = path.child(name);
                    handler(probe, at);
                    for (var number :
                            List.of(
                                    "initialDelaySeconds",
                                    "timeoutSeconds",
                                    "periodSeconds",
                                    "successThreshold",
                                    "failureThreshold")) {
                        checks.notNegative(probe, number, at);
                    }
                    var successes = probe.number("successThreshold").orElse(1);
                    if (oneSuccess && successes != 1) {
                        checks.invalid(
                                at.child("successThreshold"), Json.of(successes), "must be 1");
                    }
                });
    }

    private void handler(JsonObject holder, FieldPath path) {
        var set =
                List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep").stream()
                        .filter(holder::has)
                        .toList();
        if (set.isEmpty()) {
            checks.required(path, "must specify a handler type");
        }
        for (var extra : set.subList(Math.min(1, set.size()), set.size())) {
            checks.forbidden(path.child(extra), "may not specify more than 1 handler type");
        }
        holder.object("exec")
                .ifPresent(exec -> {
                    if (exec.items("command").isEmpty()) {
                        checks.required(path.child("exec").child("command"), "");
                    }
                });
        for (var name : List.of("httpGet", "tcpSocket", "grpc")) {
            holder.object(name).ifPresent(to -> port(to, path.child(name).child("port")));
        }
    }

    private void port(JsonObject holder, FieldPath path) {
        var number = holder.number("port");
        if (number.isPresent()) {
            checks.between(holder, "port", path.parent().orElse(path), 1, PORT_MAX);
        } else if (holder.string("port").isPresent()) {
            portName(holder.text("port"), path, checks);
        } else {
            checks.required(path, "");
        }
    }

    private void lifecycle(JsonObject container, FieldPath path) {
        for (var name : List.of("postStart", "preStop")) {
            container
                    .objectOrEmpty("lifecycle")
                    .object(name)
                    .ifPresent(hook -> handler(hook, path.child(name)));
        }
    }

    private void security(JsonObject context, FieldPath path) {
        for (var name : List.of("runAsUser", "runAsGroup")) {
            checks.between(context, name, path, 0, Integer.MAX_VALUE);
        }
        PodChecks.profile(context, path, checks);
        var escalates = context.flag("allowPrivilegeEscalation").orElse(true);
        if (!escalates && context.flag("privileged").orElse(false)) {
            checks.invalid(
                    path,
                    context,
                    "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
        for (var capability : context.objectOrEmpty("capabilities").strings("add")) {
            if (!escalates && capability.equals("CAP_SYS_ADMIN")) {
                checks.invalid(
                        path,
                        context,
                        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` "
                                + "CAP_SYS_ADMIN");
            }
        }
    }
}
