package dev.berth.drivers.nic;

import dev.berth.drivers.machine.ClaimUndoRecords;
import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.HookScript;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.NetworkLink;
import dev.berth.drivers.machine.NetworkNamespace;
import dev.berth.model.api.claim.NetworkDeviceStatus;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.Device;
import dev.berth.model.file.AtomicFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.DeviceReport;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PrepareResult.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import dev.berth.node.sysfs.StandardAttributes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Provides network interfaces to pods.
///
/// Preparation creates an interface or marks an existing one; an OCI hook moves it into the network
/// namespace of the pod. A moved interface is still published with its original attributes,
/// although the machine cannot see it.
public final class NicDriver implements MachineDriver<NicParameters> {

    public static final String NAME = "nic.berth.dev";

    private static final String LEASES = "leases";
    private static final String PERMISSIONS = "rw-r--r--";

    private final MachineRoots machine;
    private final NicConfig config;
    private final NetworkNamespace home;
    private final NetworkInterfaces interfaces;
    private final ClaimUndoRecords undoRecords;
    private final Path plans;
    private final HookScript script;

    /// @param data directory of the hook and its plans
    public NicDriver(MachineRoots machine, NicConfig config, Path data) {
        this(machine, config, data, NetworkNamespace.here(machine.tools()));
    }

    NicDriver(MachineRoots machine, NicConfig config, Path data, NetworkNamespace home) {
        this.machine = machine;
        this.config = config;
        this.home = home;
        this.interfaces = new NetworkInterfaces(machine.tools(), home);
        this.undoRecords = new ClaimUndoRecords(data.resolve("notes"));
        this.plans = data.resolve("plans");
        this.script = new HookScript(NicDriver.class, "nic-hook.sh", data);
    }

    @Override
    public List<Device> discover() throws DeviceException {
        var standard = new StandardAttributes(machine.sysfs());
        var devices = new LinkedHashMap<String, Device>();
        for (var nic : movable()) {
            devices.put(nic.deviceName(), nic.device(standard));
        }
        // Moved interfaces are published with their original state.
        for (var lease : leases()) {
            lease.original()
                    .ifPresent(state -> devices.put(lease.device(), state.nic().device(standard)));
        }
        var existing = home.links().stream().map(NetworkLink::name).toList();
        config.made().stream()
                .filter(one -> one.parent().stream().allMatch(existing::contains))
                .forEach(one -> devices.put(one.name(), one.device()));
        return List.copyOf(devices.values());
    }

    private List<Nic> movable() throws DeviceException {
        var needed = home.needed();
        var own = leases();
        return home.links().stream()
                .filter(link -> isMovable(link, needed) && !isAssigned(link, own))
                .map(link -> Nic.of(link, machine.sysfs()))
                .toList();
    }

    private boolean isMovable(NetworkLink link, List<String> needed) {
        return !link.isLoopback()
                && !needed.contains(link.name())
                && link.master().isEmpty()
                && config.kinds().contains(link.kind())
                && !config.except().contains(link.name())
                && NicParameters.isName(link.name())
                // Parents of macvlan interfaces cannot be moved.
                && config.made().stream()
                        .noneMatch(one -> one.parent().equals(Optional.of(link.name())));
    }

    /// Whether an interface was created for a claim or is assigned to one.
    private static boolean isAssigned(NetworkLink link, List<InterfaceLease> leases) {
        return leases.stream()
                .anyMatch(lease ->
                        link.alias().equals(lease.alias())
                                || link.name().equals(lease.peer())
                                || (lease.original().isEmpty()
                                        && link.name().equals(lease.interfaceName())));
    }

    private List<InterfaceLease> leases() throws DeviceException {
        try {
            return undoRecords.all().stream()
                    .flatMap(undoRecord -> undoRecord.objects(LEASES).stream())
                    .map(InterfaceLease::of)
                    .toList();
        } catch (IOException e) {
            throw new DeviceException("cannot read undo records: " + e, e);
        }
    }

    @Override
    public Parameters<NicParameters> parameters() {
        return NicParameters.PARAMETERS;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<NicParameters> claim)
            throws DeviceException, IOException {
        var uid = claim.claim().uid();
        var selected = select(uid, claim.devices());
        undoRecords.put(
                uid,
                JsonObject.of(
                        LEASES,
                        Json.array(selected.values().stream().map(InterfaceLease::tree).toList())));
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            var lease = selected.get(device);
            prepared.add(
                    lease == null
                            ? PreparedDevice.of(device, adminEdits(device))
                            : prepare(device, lease));
        }
        return new PrepareResult(prepared);
    }

    /// With admin access the interface is not moved.
    private static ContainerEdits adminEdits(AssignedDevice<NicParameters> device) {
        return ContainerEdits.NONE.withEnv(
                DerivedNames.variable("nic", device.name()), device.name());
    }

    private Map<AssignedDevice<NicParameters>, InterfaceLease> select(
            Uid uid, List<AssignedDevice<NicParameters>> devices)
            throws DeviceException, IOException {
        var earlier =
                undoRecords.find(uid).orElse(JsonObject.EMPTY).objects(LEASES).stream()
                        .map(InterfaceLease::of)
                        .toList();
        var selection = new InterfaceSelection(uid, earlier, leases());
        var selected = new LinkedHashMap<AssignedDevice<NicParameters>, InterfaceLease>();
        for (var entry : DerivedNames.byRequest(devices).entrySet()) {
            var device = entry.getKey();
            if (device.isAdmin()) {
                continue;
            }
            var made = source(device.name());
            selected.put(
                    device,
                    made.isPresent()
                            ? selection.made(device, entry.getValue(), made.get())
                            : selection.moved(
                                    device, entry.getValue(), () -> originalState(device.name())));
        }
        return selected;
    }

    private Optional<InterfaceSource> source(String device) {
        return config.made().stream().filter(one -> one.name().equals(device)).findFirst();
    }

    private InterfaceLease.OriginalState originalState(String device) throws DeviceException {
        var nic =
                movable().stream()
                        .filter(one -> one.deviceName().equals(device))
                        .findFirst()
                        .orElseThrow(() ->
                                new DeviceException(
                                        ("interface %s cannot be moved: it does not exist, or it"
                                                        + " carries the default route of"
                                                        + " the machine")
                                                .formatted(device)));
        var link = home.link(nic.name()).orElseThrow();
        return new InterfaceLease.OriginalState(
                nic, link.alias(), link.isUp(), home.addresses(nic.name()));
    }

    private PreparedDevice prepare(AssignedDevice<NicParameters> device, InterfaceLease lease)
            throws DeviceException, IOException {
        var made = source(device.name());
        if (made.isPresent()) {
            interfaces.create(lease, made.get(), device.parameters().mode());
        } else {
            interfaces.mark(lease);
        }
        Files.createDirectories(plans);
        var plan = plan(lease);
        AtomicFile.write(
                plan,
                lease.plan(home.name().orElse("")).getBytes(StandardCharsets.UTF_8),
                PERMISSIONS);
        var edits =
                ContainerEdits.NONE
                        .withEnv(DerivedNames.variable("nic", device.name()), lease.podName())
                        .withHook(script.hook(plan.toString()));
        return PreparedDevice.of(device, edits)
                .withReport(
                        DeviceReport.of(
                                new NetworkDeviceStatus(
                                        lease.podName(), lease.addresses(), lease.mac())));
    }

    private Path plan(InterfaceLease lease) {
        return plans.resolve(lease.key());
    }

    @Override
    public void unprepare(PreparedClaim claim) throws DeviceException, IOException {
        var uid = claim.claim().uid();
        for (var tree : undoRecords.find(uid).orElse(JsonObject.EMPTY).objects(LEASES)) {
            var lease = InterfaceLease.of(tree);
            interfaces.undo(lease);
            Files.deleteIfExists(plan(lease));
            Files.deleteIfExists(plans.resolve(lease.key() + ".lock"));
        }
        undoRecords.delete(uid);
    }
}
