package dev.berth.node.cdi;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.CdiJson.TreeBuilder;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Hook;
import dev.berth.node.cdi.ContainerEdits.Mount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/// Applies container edits to an OCI `config.json`, with the same result as the reference library.
public final class OciEdits {

    private static final String ALL_PERMISSIONS = "rwm";
    private static final String NO_PERMISSIONS = "none";

    private final HostDevices devices;

    public OciEdits(HostDevices devices) {
        this.devices = devices;
    }

    /// Result of applying edits.
    public sealed interface Result {

        /// The configuration with the edits.
        record Edited(JsonObject config) implements Result {}

        /// The edits cannot be applied.
        record Failed(String reason) implements Result {}
    }

    /// Applies valid edits.
    ///
    /// @param config fields that the edits do not concern are kept
    public Result apply(ContainerEdits edits, JsonObject config) {
        var edited = edits.env().isEmpty() ? config : withEnv(config, edits.env());
        for (var node : edits.deviceNodes()) {
            switch (complete(node)) {
                case Completed.Failed(var reason) -> {
                    return new Result.Failed(reason);
                }
                case Completed.Done(var whole) -> edited = withNode(edited, whole);
            }
        }
        for (var net : edits.netDevices()) {
            edited =
                    in(
                            edited,
                            "linux",
                            linux ->
                                    in(
                                            linux,
                                            "netDevices",
                                            all ->
                                                    all.with(
                                                            net.hostInterfaceName(),
                                                            new TreeBuilder()
                                                                    .text("name", net.name())
                                                                    .build())));
        }
        if (!edits.mounts().isEmpty()) {
            edited = withMounts(edited, edits.mounts());
        }
        for (var hook : edits.hooks()) {
            edited = in(edited, "hooks", hooks -> appended(hooks, hook.hookName(), tree(hook)));
        }
        if (edits.intelRdt().isPresent()) {
            var rdt = CdiJson.rdt(edits.intelRdt().get());
            edited = in(edited, "linux", linux -> linux.with("intelRdt", rdt));
        }
        for (var gid : edits.additionalGids()) {
            edited = withGroup(edited, gid);
        }
        return new Result.Edited(edited);
    }

    /// An existing variable keeps its position and gets the new value.
    private static JsonObject withEnv(JsonObject config, List<String> added) {
        return in(
                config,
                "process",
                process -> {
                    var env = new ArrayList<>(process.strings("env"));
                    var positions = new HashMap<String, Integer>();
                    for (var i = 0; i < env.size(); i++) {
                        positions.put(variable(env.get(i)), i);
                    }
                    for (var one : added) {
                        var position = positions.get(variable(one));
                        if (position == null) {
                            positions.put(variable(one), env.size());
                            env.add(one);
                        } else {
                            env.set(position, one);
                        }
                    }
                    return process.with("env", Json.array(env.stream().map(Json::of).toList()));
                });
    }

    private static String variable(String assignment) {
        var equals = assignment.indexOf('=');
        return equals < 0 ? assignment : assignment.substring(0, equals);
    }

    private sealed interface Completed {
        record Done(DeviceNode node) implements Completed {}

        record Failed(String reason) implements Completed {}
    }

    /// Completes a node from the host's device node.
    private Completed complete(DeviceNode node) {
        var isPipe = node.type().equals("p");
        if (!node.type().isEmpty() && (node.major() != 0 || isPipe)) {
            return new Completed.Done(node);
        }
        var hostPath = node.hostPath().isEmpty() ? node.path() : node.hostPath();
        return switch (devices.find(hostPath)) {
            case HostDevices.Found.NoNode(var reason) ->
                    new Completed.Failed("device %s: %s".formatted(hostPath, reason));
            case HostDevices.Found.Node(var type, var _, var _)
                    when !node.type().isEmpty() && !node.type().equals(type) ->
                    new Completed.Failed(
                            "device %s is of type %s, the spec has %s"
                                    .formatted(hostPath, type, node.type()));
            case HostDevices.Found.Node(var type, var major, var minor) ->
                    new Completed.Done(
                            node.major() != 0 || type.equals("p")
                                    ? node.withNumbers(type, node.major(), node.minor())
                                    : node.withNumbers(type, major, minor));
        };
    }

    private static JsonObject withNode(JsonObject config, DeviceNode node) {
        var user = config.objectOrEmpty("process").objectOrEmpty("user");
        var device =
                new TreeBuilder()
                        .text("path", node.path())
                        .text("type", node.type())
                        .put("major", Json.of(node.major()))
                        .put("minor", Json.of(node.minor()));
        node.fileMode().ifPresent(mode -> device.put("fileMode", Json.of(mode)));
        // A user other than root must own the device to be able to open it.
        owner(node.uid(), user.number("uid")).ifPresent(uid -> device.put("uid", Json.of(uid)));
        owner(node.gid(), user.number("gid")).ifPresent(gid -> device.put("gid", Json.of(gid)));
        var isDevice = node.type().equals("b") || node.type().equals("c");
        return in(
                config,
                "linux",
                linux -> {
                    var nodes = replaced(linux, "devices", "path", node.path());
                    nodes.add(device.build());
                    var changed = linux.with("devices", Json.array(nodes));
                    return isDevice
                            ? in(changed, "resources", all -> appended(all, "devices", rule(node)))
                            : changed;
                });
    }

    private static OptionalLong owner(OptionalLong specified, OptionalLong ofProcess) {
        if (specified.isPresent()) {
            return specified;
        }
        return ofProcess.orElse(0) > 0 ? ofProcess : OptionalLong.empty();
    }

    private static JsonObject rule(DeviceNode node) {
        var access =
                switch (node.permissions()) {
                    case "" -> ALL_PERMISSIONS;
                    case NO_PERMISSIONS -> "";
                    default -> node.permissions();
                };
        return new TreeBuilder()
                .put("allow", Json.of(true))
                .text("type", node.type())
                .put("major", Json.of(node.major()))
                .put("minor", Json.of(node.minor()))
                .text("access", access)
                .build();
    }

    private static JsonObject withMounts(JsonObject config, List<Mount> added) {
        var hasUserNamespace =
                config.objectOrEmpty("linux").objects("namespaces").stream()
                        .anyMatch(namespace -> namespace.text("type").equals("user"));
        var edited = config;
        for (var mount : added) {
            var mounts = replaced(edited, "mounts", "destination", mount.containerPath());
            mounts.add(tree(mount, hasUserNamespace));
            edited = edited.with("mounts", Json.array(mounts));
        }
        // Nested mounts must come later, or the outer mount hides them.
        var sorted = new ArrayList<>(edited.objects("mounts"));
        sorted.sort(Comparator.comparingInt(mount -> depth(mount.text("destination"))));
        return edited.with("mounts", Json.array(sorted));
    }

    private static JsonObject tree(Mount mount, boolean hasUserNamespace) {
        var options = new ArrayList<>(mount.options());
        var isBind =
                mount.type().equals("bind")
                        || options.contains("bind")
                        || options.contains("rbind");
        if (hasUserNamespace
                && isBind
                && !options.contains("idmap")
                && !options.contains("ridmap")) {
            options.add("idmap");
        }
        return new TreeBuilder()
                .text("destination", mount.containerPath())
                .text("type", mount.type())
                .text("source", mount.hostPath())
                .texts("options", options)
                .build();
    }

    /// The number of slashes in a normalized path.
    static int depth(String path) {
        var steps = new ArrayDeque<String>();
        for (var step : path.split("/", -1)) {
            if (step.equals("..") && !steps.isEmpty() && !steps.getLast().equals("..")) {
                steps.removeLast();
            } else if (!step.isEmpty()
                    && !step.equals(".")
                    && !(step.equals("..") && path.startsWith("/"))) {
                steps.add(step);
            }
        }
        return path.startsWith("/") ? Math.max(1, steps.size()) : Math.max(0, steps.size() - 1);
    }

    private static JsonObject tree(Hook hook) {
        var builder =
                new TreeBuilder()
                        .text("path", hook.path())
                        .texts("args", hook.args())
                        .texts("env", hook.env());
        hook.timeout().ifPresent(timeout -> builder.put("timeout", Json.of(timeout)));
        return builder.build();
    }

    private static JsonObject withGroup(JsonObject config, long gid) {
        if (gid == 0) {
            return config;
        }
        return in(
                config,
                "process",
                process ->
                        in(
                                process,
                                "user",
                                user -> {
                                    var isPresent =
                                            user.items("additionalGids").stream()
                                                    .map(OciEdits::number)
                                                    .anyMatch(Optional.of(gid)::equals);
                                    return isPresent
                                            ? user
                                            : appended(user, "additionalGids", Json.of(gid));
                                }));
    }

    private static Optional<Long> number(Json value) {
        return value instanceof JsonNumber number && number.asLong().isPresent()
                ? Optional.of(number.asLong().getAsLong())
                : Optional.empty();
    }

    /// The objects of a list without the first whose field has that value.
    private static List<JsonObject> replaced(
            JsonObject parent, String list, String field, String value) {
        var objects = new ArrayList<>(parent.objects(list));
        for (var i = 0; i < objects.size(); i++) {
            if (objects.get(i).text(field).equals(value)) {
                objects.remove(i);
                break;
            }
        }
        return objects;
    }

    private static JsonObject appended(JsonObject parent, String list, Json item) {
        var items = new ArrayList<>(parent.items(list));
        items.add(item);
        return parent.with(list, Json.array(items));
    }

    private static JsonObject in(JsonObject parent, String name, UnaryOperator<JsonObject> change) {
        return parent.with(name, change.apply(parent.objectOrEmpty(name)));
    }
}
