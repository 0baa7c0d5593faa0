package dev.berth.node.cdi;

import dev.berth.model.json.FieldPath;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Hook;
import dev.berth.node.cdi.ContainerEdits.IntelRdt;
import dev.berth.node.cdi.ContainerEdits.NetDevice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Validates CDI specs by the rules of runtimes.
public final class CdiValidation {

    private static final Set<String> HOOKS =
            Set.of(
                    "prestart",
                    "createRuntime",
                    "createContainer",
                    "startContainer",
                    "poststart",
                    "poststop");

    private static final Set<String> NODE_TYPES = Set.of("", "b", "c", "u", "p");
    private static final String NO_PERMISSIONS = "none";
    private static final int MAX_CLOS_ID = 4096;
    private static final int MAX_ANNOTATIONS = 256 * 1024;
    private static final Pattern ANNOTATION =
            Pattern.compile(
                    "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
                            + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private final List<CdiProblem> problems = new ArrayList<>();

    private CdiValidation() {}

    /// All problems of a spec; empty if runtimes accept it.
    public static List<CdiProblem> check(CdiSpec spec) {
        var validation = new CdiValidation();
        validation.checkVersion(spec);
        validation.checkKind(spec.kind());
        validation.checkAnnotations(FieldPath.of("annotations"), spec.annotations());
        validation.checkEdits(FieldPath.of("containerEdits"), spec.edits());
        validation.checkDevices(spec);
        return List.copyOf(validation.problems);
    }

    private void checkVersion(CdiSpec spec) {
        var path = FieldPath.of("cdiVersion");
        if (!CdiVersions.isKnown(spec.version())) {
            refuse(path, "unknown version \"%s\"".formatted(spec.version()));
            return;
        }
        var required = CdiVersions.required(spec);
        if (CdiVersions.isNewer(required, spec.version())) {
            refuse(
                    path,
                    "the spec has version %s but uses fields of %s"
                            .formatted(spec.version(), required));
        }
    }

    private void checkKind(CdiKind kind) {
        var path = FieldPath.of("kind");
        CdiNames.vendorProblem(kind.vendor())
                .ifPresent(message -> refuseName(path, kind.vendor(), message));
        CdiNames.classProblem(kind.className())
                .ifPresent(message -> refuseName(path, kind.className(), message));
    }

    private void refuseName(FieldPath path, String name, String message) {
        problems.add(
                CdiNames.crashesRuntimes(name)
                        ? CdiProblem.dangerous(path, message + ": some runtimes crash on it")
                        : CdiProblem.invalid(path, message));
    }

    private void checkDevices(CdiSpec spec) {
        var path = FieldPath.of("devices");
        if (spec.devices().isEmpty()) {
            refuse(path, "there must be at least one device");
        }
        var names = new HashSet<String>();
        for (var i = 0; i < spec.devices().size(); i++) {
            var device = spec.devices().get(i);
            var at = path.index(i);
            CdiNames.deviceProblem(device.name())
                    .ifPresent(message -> refuse(at.child("name"), message));
            if (!names.add(device.name())) {
                refuse(at.child("name"), "duplicate device \"%s\"".formatted(device.name()));
            }
            checkAnnotations(at.child("annotations"), device.annotations());
            if (device.edits().isEmpty()) {
                refuse(at.child("containerEdits"), "a device must have at least one edit");
            }
            checkEdits(at.child("containerEdits"), device.edits());
        }
    }

    private void checkAnnotations(FieldPath path, Map<String, String> annotations) {
        var size = 0;
        for (var entry : annotations.entrySet()) {
            size += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
            // Kubernetes validates the key in lower case, so that prefixes may have capitals.
            if (!ANNOTATION.matcher(entry.getKey().toLowerCase(Locale.ROOT)).matches()) {
                refuse(path, "\"%s\" is not a qualified name".formatted(entry.getKey()));
            }
        }
        if (size > MAX_ANNOTATIONS) {
            refuse(path, "annotations have %d bytes, more than 256 KiB".formatted(size));
        }
    }

    private void checkEdits(FieldPath path, ContainerEdits edits) {
        checkEnv(path.child("env"), edits.env());
        for (var i = 0; i < edits.deviceNodes().size(); i++) {
            checkNode(path.child("deviceNodes").index(i), edits.deviceNodes().get(i));
        }
        checkNetDevices(path.child("netDevices"), edits.netDevices());
        for (var i = 0; i < edits.mounts().size(); i++) {
            var at = path.child("mounts").index(i);
            var mount = edits.mounts().get(i);
            require(at.child("hostPath"), mount.hostPath());
            require(at.child("containerPath"), mount.containerPath());
        }
        for (var i = 0; i < edits.hooks().size(); i++) {
            checkHook(path.child("hooks").index(i), edits.hooks().get(i));
        }
        edits.intelRdt().ifPresent(rdt -> checkRdt(path.child("intelRdt"), rdt));
    }

    private void checkEnv(FieldPath path, List<String> env) {
        for (var i = 0; i < env.size(); i++) {
            if (env.get(i).indexOf('=') <= 0) {
                refuse(path.index(i), "\"%s\" is not of the form NAME=value".formatted(env.get(i)));
            }
        }
    }

    private void checkNode(FieldPath path, DeviceNode node) {
        require(path.child("path"), node.path());
        if (!NODE_TYPES.contains(node.type())) {
            refuse(path.child("type"), "\"%s\" is not one of b, c, u, p".formatted(node.type()));
        }
        if (node.major() < 0 || node.minor() < 0) {
            // For a runtime -1 means every device.
            refuse(path, "device number %d:%d is negative".formatted(node.major(), node.minor()));
        }
        var isPermission = node.permissions().chars().allMatch(c -> "rwm".indexOf(c) >= 0);
        if (!isPermission && !node.permissions().equals(NO_PERMISSIONS)) {
            refuse(
                    path.child("permissions"),
                    "\"%s\" has characters other than r, w, m".formatted(node.permissions()));
        }
    }

    private void checkNetDevices(FieldPath path, List<NetDevice> devices) {
        checkUnique(path, "hostInterfaceName", devices, NetDevice::hostInterfaceName);
        checkUnique(path, "name", devices, NetDevice::name);
    }

    private void checkUnique(
            FieldPath path,
            String field,
            List<NetDevice> devices,
            Function<NetDevice, String> value) {
        var seen = new HashSet<String>();
        for (var i = 0; i < devices.size(); i++) {
            var at = path.index(i).child(field);
            var text = value.apply(devices.get(i));
            require(at, text);
            if (!seen.add(text)) {
                refuse(at, "duplicate value \"%s\"".formatted(text));
            }
        }
    }

    private void checkHook(FieldPath path, Hook hook) {
        if (!HOOKS.contains(hook.hookName())) {
            refuse(path.child("hookName"), "unknown hook \"%s\"".formatted(hook.hookName()));
        }
        require(path.child("path"), hook.path());
        checkEnv(path.child("env"), hook.env());
    }

    private void checkRdt(FieldPath path, IntelRdt rdt) {
        var id = rdt.closId();
        var isRoot = id.equals("/");
        var isFileName =
                id.length() < MAX_CLOS_ID
                        && !id.equals(".")
                        && !id.equals("..")
                        && id.chars().noneMatch(c -> c == '/' || c == '\n');
        if (!isRoot && !isFileName) {
            refuse(path.child("closID"), "\"%s\" is not a file name".formatted(id));
        }
    }

    private void require(FieldPath path, String value) {
        if (value.isEmpty()) {
            refuse(path, "must not be empty");
        }
    }

    private void refuse(FieldPath path, String message) {
        problems.add(CdiProblem.invalid(path, message));
    }
}
