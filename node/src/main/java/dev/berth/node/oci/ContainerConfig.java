package dev.berth.node.oci;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ProcPaths;
import dev.berth.node.runtime.RuntimeFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Builds the OCI `config.json` of a container, before security profiles and devices are added.
///
/// Containers have containerd's defaults: capabilities, masked and read-only paths, and only
/// harmless devices.
final class ContainerConfig {

    private static final long PERIOD_MICROS = 100_000;
    private static final String DEFAULT_PATH =
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final ContainerInputs inputs;
    private final HostPrivileges privileges;

    private ContainerConfig(ContainerInputs inputs, HostPrivileges privileges) {
        this.inputs = inputs;
        this.privileges = privileges;
    }

    static JsonObject of(ContainerInputs inputs, HostPrivileges privileges) throws RuntimeFailure {
        return new ContainerConfig(inputs, privileges).tree();
    }

    private JsonObject tree() throws RuntimeFailure {
        return JsonObject.of("ociVersion", Json.of("1.0.2"))
                .with("process", process())
                .with(
                        "root",
                        JsonObject.of("path", Json.of(inputs.root().toString()))
                                .with(
                                        "readonly",
                                        Json.of(inputs.spec().security().hasReadOnlyRoot())))
                .with("mounts", Json.array(ContainerMounts.of(inputs)))
                .with("linux", linux());
    }

    /// Adds a default PATH if neither image nor pod sets one.
    private static List<String> environment(ContainerSpec spec) {
        var env = new ArrayList<String>();
        if (spec.env().stream().noneMatch(one -> one.name().equals("PATH"))) {
            env.add(DEFAULT_PATH);
        }
        spec.env().forEach(one -> env.add(one.name() + "=" + one.value()));
        return env;
    }

    private JsonObject process() throws RuntimeFailure {
        var spec = inputs.spec();
        var capabilities =
                RecordJson.texts(Capabilities.of(spec.security(), privileges.capabilities()));
        return JsonObject.of("terminal", Json.of(spec.hasTerminal()))
                .with("user", user())
                .with("args", RecordJson.texts(spec.arguments()))
                .with("env", RecordJson.texts(environment(spec)))
                .with(
                        "cwd",
                        Json.of(spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory()))
                .with(
                        "capabilities",
                        JsonObject.of("bounding", capabilities)
                                .with("effective", capabilities)
                                .with("permitted", capabilities))
                .with("noNewPrivileges", Json.of(!mayGainPrivileges()))
                .with(
                        "oomScoreAdj",
                        Json.of(privileges.allowedOomScore(spec.limits().oomScoreAdjustment())));
    }

    private boolean mayGainPrivileges() {
        var security = inputs.spec().security();
        return security.mayGainPrivileges() || security.isPrivileged();
    }

    private JsonObject user() {
        var user = inputs.user();
        return JsonObject.of("uid", Json.of(user.uid()))
                .with("gid", Json.of(user.gid()))
                .with(
                        "additionalGids",
                        Json.array(user.moreGroups().stream().map(Json::of).toList()));
    }

    private JsonObject linux() {
        var linux =
                JsonObject.of("cgroupsPath", Json.of("/" + inputs.cgroup()))
                        .with("namespaces", Json.array(namespaces()))
                        .with("resources", resources());
        if (!inputs.spec().security().isPrivileged()) {
            return linux.with("maskedPaths", RecordJson.texts(ProcPaths.MASKED))
                    .with("readonlyPaths", RecordJson.texts(ProcPaths.READ_ONLY));
        }
        return linux.with("devices", Json.array(devices()));
    }

    private List<JsonObject> namespaces() {
        var namespaces = new ArrayList<JsonObject>();
        namespaces.add(namespace("mount"));
        if (privileges.isUnified() && !inputs.spec().security().isPrivileged()) {
            namespaces.add(namespace("cgroup"));
        }
        if (!inputs.hostProcesses() && !inputs.shared().containsKey("pid")) {
            namespaces.add(namespace("pid"));
        }
        inputs.shared().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(one ->
                        namespace(one.getKey()).with("path", Json.of(one.getValue().toString())))
                .forEach(namespaces::add);
        return namespaces;
    }

    private static JsonObject namespace(String type) {
        return JsonObject.of("type", Json.of(type));
    }

    private JsonObject resources() {
        var limits = inputs.spec().limits();
        var isPrivileged = inputs.spec().security().isPrivileged();
        var cpu = JsonObject.EMPTY;
        if (limits.cpuShares().isPresent()) {
            cpu = cpu.with("shares", Json.of(limits.cpuShares().getAsLong()));
        }
        if (limits.cpuQuotaMicros().isPresent()) {
            cpu =
                    cpu.with("quota", Json.of(limits.cpuQuotaMicros().getAsLong()))
                            .with("period", Json.of(PERIOD_MICROS));
        }
        if (!limits.cpus().isEmpty()) {
            cpu = cpu.with("cpus", Json.of(limits.cpus()));
        }
        var rule = JsonObject.of("allow", Json.of(isPrivileged)).with("access", Json.of("rwm"));
        var resources = JsonObject.of("devices", Json.array(rule));
        if (!cpu.isEmpty()) {
            resources = resources.with("cpu", cpu);
        }
        if (limits.memoryBytes().isPresent()) {
            resources = resources.with("memory", memory(limits.memoryBytes().getAsLong()));
        }
        return resources;
    }

    /// The swap limit equals the memory limit: with swap the memory limit would have no effect.
    private JsonObject memory(long bytes) {
        var memory = JsonObject.of("limit", Json.of(bytes));
        return privileges.countsSwap() ? memory.with("swap", Json.of(bytes)) : memory;
    }

    private List<JsonObject> devices() {
        return inputs.hostDevices().stream()
                .map(device ->
                        JsonObject.of("path", Json.of(device.path()))
                                .with("type", Json.of(device.type()))
                                .with("major", Json.of(device.major()))
                                .with("minor", Json.of(device.minor()))
                                .with("fileMode", Json.of(device.mode()))
                                .with("uid", Json.of(device.uid()))
                                .with("gid", Json.of(device.gid())))
                .toList();
    }
}
