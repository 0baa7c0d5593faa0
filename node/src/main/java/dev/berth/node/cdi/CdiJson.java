package dev.berth.node.cdi;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Hook;
import dev.berth.node.cdi.ContainerEdits.IntelRdt;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.cdi.ContainerEdits.NetDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// Encodes CDI specs as JSON; empty fields are omitted.
public final class CdiJson {

    private CdiJson() {}

    public static JsonObject of(CdiSpec spec) {
        return new TreeBuilder()
                .text("cdiVersion", spec.version())
                .text("kind", spec.kind().toString())
                .object("annotations", texts(spec.annotations()))
                .list("devices", spec.devices(), CdiJson::of)
                .object("containerEdits", of(spec.edits()))
                .build();
    }

    public static JsonObject of(CdiDevice device) {
        return new TreeBuilder()
                .text("name", device.name())
                .object("annotations", texts(device.annotations()))
                .object("containerEdits", of(device.edits()))
                .build();
    }

    public static JsonObject of(ContainerEdits edits) {
        var builder =
                new TreeBuilder()
                        .texts("env", edits.env())
                        .list("deviceNodes", edits.deviceNodes(), CdiJson::node)
                        .list("netDevices", edits.netDevices(), CdiJson::netDevice)
                        .list("mounts", edits.mounts(), CdiJson::mount)
                        .list("hooks", edits.hooks(), CdiJson::hook)
                        .list("additionalGids", edits.additionalGids(), Json::of);
        // Encoded even without fields: the container leaves the resource group of its parent.
        edits.intelRdt().ifPresent(rdt -> builder.put("intelRdt", rdt(rdt)));
        return builder.build();
    }

    private static JsonObject texts(Map<String, String> texts) {
        var builder = new TreeBuilder();
        new TreeMap<>(texts).forEach((name, text) -> builder.put(name, Json.of(text)));
        return builder.build();
    }

    private static JsonObject node(DeviceNode node) {
        var builder =
                new TreeBuilder()
                        .text("path", node.path())
                        .text("hostPath", node.hostPath())
                        .text("type", node.type())
                        .number("major", node.major())
                        .number("minor", node.minor());
        node.fileMode().ifPresent(mode -> builder.put("fileMode", Json.of(mode)));
        builder.text("permissions", node.permissions());
        node.uid().ifPresent(uid -> builder.put("uid", Json.of(uid)));
        node.gid().ifPresent(gid -> builder.put("gid", Json.of(gid)));
        return builder.build();
    }

    private static JsonObject netDevice(NetDevice device) {
        return new TreeBuilder()
                .text("hostInterfaceName", device.hostInterfaceName())
                .text("name", device.name())
                .build();
    }

    private static JsonObject mount(Mount mount) {
        return new TreeBuilder()
                .text("hostPath", mount.hostPath())
                .text("containerPath", mount.containerPath())
                .texts("options", mount.options())
                .text("type", mount.type())
                .build();
    }

    private static JsonObject hook(Hook hook) {
        var builder =
                new TreeBuilder()
                        .text("hookName", hook.hookName())
                        .text("path", hook.path())
                        .texts("args", hook.args())
                        .texts("env", hook.env());
        hook.timeout().ifPresent(timeout -> builder.put("timeout", Json.of(timeout)));
        return builder.build();
    }

    static JsonObject rdt(IntelRdt rdt) {
        return new TreeBuilder()
                .text("closID", rdt.closId())
                .text("l3CacheSchema", rdt.l3CacheSchema())
                .text("memBwSchema", rdt.memBwSchema())
                .flag("enableCMT", rdt.enableCmt())
                .flag("enableMBM", rdt.enableMbm())
                .texts("schemata", rdt.schemata())
                .flag("enableMonitoring", rdt.enableMonitoring())
                .build();
    }

    /// Builder of a JSON object.
    static final class TreeBuilder {
        private final Map<String, Json> members = new LinkedHashMap<>();

        TreeBuilder put(String name, Json value) {
            members.put(name, value);
            return this;
        }

        TreeBuilder text(String name, String value) {
            return value.isEmpty() ? this : put(name, Json.of(value));
        }

        TreeBuilder number(String name, long value) {
            return value == 0 ? this : put(name, Json.of(value));
        }

        TreeBuilder flag(String name, boolean value) {
            return value ? put(name, Json.of(true)) : this;
        }

        TreeBuilder object(String name, JsonObject value) {
            return value.isEmpty() ? this : put(name, value);
        }

        TreeBuilder texts(String name, List<String> values) {
            return list(name, values, Json::of);
        }

        <T> TreeBuilder list(String name, List<T> values, Function<T, Json> tree) {
            return values.isEmpty()
                    ? this
                    : put(name, Json.array(values.stream().map(tree).toList()));
        }

        JsonObject build() {
            return new JsonObject(members);
        }
    }
}
