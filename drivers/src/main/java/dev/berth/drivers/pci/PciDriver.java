package dev.berth.drivers.pci;

import dev.berth.drivers.machine.ClaimUndoRecords;
import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.MountInfo;
import dev.berth.drivers.machine.NetworkNamespace;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.model.api.slice.Device;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PrepareResult.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.StandardAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Provides PCI functions to containers.
///
/// Never publishes functions that the machine needs: controllers of mounted file systems and swap,
/// and network cards of default routes.
public final class PciDriver implements MachineDriver<Parameters.None> {

    public static final String NAME = "pci.berth.dev";

    private static final String BOUND = "bound";

    private final MachineRoots machine;
    private final PciConfig config;
    private final ClaimUndoRecords undoRecords;
    private final PciDriverBinding binding;
    private final PciDeviceFiles deviceFiles;
    private final Interfaces interfaces;

    /// Finds the network interfaces that the machine needs.
    interface Interfaces {
        List<String> needed() throws DeviceException;
    }

    /// @param data directory of undo records with the original drivers
    public PciDriver(MachineRoots machine, PciConfig config, Path data) {
        this(
                machine,
                config,
                data,
                (file, text) -> Files.writeString(file, text),
                () -> NetworkNamespace.here(machine.tools()).needed());
    }

    PciDriver(
            MachineRoots machine,
            PciConfig config,
            Path data,
            PciDriverBinding.SysfsWriter sysfsWriter,
            Interfaces interfaces) {
        this.machine = machine;
        this.config = config;
        this.undoRecords = new ClaimUndoRecords(data.resolve("notes"));
        this.binding = new PciDriverBinding(machine.sysfs(), sysfsWriter);
        this.deviceFiles = new PciDeviceFiles(machine.sysfs());
        this.interfaces = interfaces;
    }

    @Override
    public List<Device> discover() throws DeviceException {
        var standard = new StandardAttributes(machine.sysfs());
        return publishedFunctions().stream().map(published -> published.device(standard)).toList();
    }

    private List<PublishedPciFunction> publishedFunctions() throws DeviceException {
        var needed = needed();
        var bound = bound();
        var publishedFunctions = new ArrayList<PublishedPciFunction>();
        for (var now : PciFunction.all(machine.sysfs())) {
            // Prepared functions are published with their original driver.
            var recorded =
                    bound.stream().filter(one -> one.address().equals(now.address())).findAny();
            var function = recorded.map(one -> now.withDriver(one.driver())).orElse(now);
            // A physical function with virtual ones is never published: its removal would remove
            // them.
            if (function.isBridge()
                    || function.numVfs() > 0
                    || needed.contains(function.address())) {
                continue;
            }
            config.rules().stream()
                    .filter(rule -> rule.matches(function))
                    .findFirst()
                    .map(rule ->
                            new PublishedPciFunction(
                                    function, rule.use(), files(rule.use(), function)))
                    .filter(PublishedPciFunction::isUseful)
                    .ifPresent(publishedFunctions::add);
        }
        return publishedFunctions;
    }

    private List<String> files(PciFunctionMode use, PciFunction function) {
        return switch (use) {
            case VFIO -> function.group().map(PublishedPciFunction::vfioFiles).orElse(List.of());
            case NODES -> deviceFiles.of(function.address());
        };
    }

    private Set<PciAddress> needed() throws DeviceException {
        var sysfs = machine.sysfs();
        var links = new SysfsLinks(sysfs);
        var needed =
                new TreeSet<>(
                        new BlockDevices(sysfs).needed(MountInfo.read(machine.proc()), swaps()));
        for (var name : interfaces.needed()) {
            links.pciFunction("class/net/" + name).ifPresent(needed::add);
        }
        // Virtual functions depend on their physical function.
        for (var function : PciFunction.all(sysfs)) {
            if (needed.contains(function.address())) {
                function.physical().ifPresent(needed::add);
            }
        }
        return needed;
    }

    private List<String> swaps() {
        return machine.sysfs()
                .text(machine.proc().resolve("swaps"))
                .orElse("")
                .lines()
                .map(line -> line.split("\\s+", 2)[0])
                .toList();
    }

    private List<VfioBinding> bound() throws DeviceException {
        try {
            return undoRecords.all().stream()
                    .flatMap(undoRecord -> undoRecord.objects(BOUND).stream())
                    .flatMap(tree -> VfioBinding.of(tree).stream())
                    .toList();
        } catch (IOException e) {
            throw new DeviceException("cannot read undo records: " + e, e);
        }
    }

    @Override
    public Parameters<Parameters.None> parameters() {
        return Parameters.NONE;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<Parameters.None> claim)
            throws DeviceException, IOException {
        var publishedFunctions = publishedFunctions();
        var chosen = new ArrayList<PublishedPciFunction>();
        for (var device : claim.devices()) {
            chosen.add(find(publishedFunctions, device));
        }
        var uid = claim.claim().uid();
        var known = undoRecords.find(uid).orElse(JsonObject.EMPTY).objects(BOUND);
        undoRecords.put(uid, JsonObject.of(BOUND, Json.array(toBind(claim, chosen, known))));
        var prepared = new ArrayList<PreparedDevice>();
        for (var i = 0; i < chosen.size(); i++) {
            var published = chosen.get(i);
            var device = claim.devices().get(i);
            if (published.use() == PciFunctionMode.VFIO && !device.isAdmin()) {
                IommuGroups.check(published.function(), PciFunction.all(machine.sysfs()), chosen);
                binding.bindToVfio(published.function().address());
            }
            prepared.add(PreparedDevice.of(device, edits(published, device.isAdmin())));
        }
        return new PrepareResult(prepared);
    }

    /// The undo records. An existing record takes precedence, since it has the original state.
    private List<Json> toBind(
            ClaimAssignment<?> claim, List<PublishedPciFunction> chosen, List<JsonObject> known) {
        var all = new ArrayList<Json>();
        for (var i = 0; i < chosen.size(); i++) {
            var published = chosen.get(i);
            if (published.use() == PciFunctionMode.VFIO && !claim.devices().get(i).isAdmin()) {
                var address = published.function().address();
                all.add(
                        known.stream()
                                .filter(tree -> tree.text("address").equals(address.text()))
                                .findFirst()
                                .orElseGet(() ->
                                        new VfioBinding(
                                                        address,
                                                        binding.driver(address),
                                                        binding.override(address))
                                                .tree()));
            }
        }
        return all;
    }

    private static PublishedPciFunction find(
            List<PublishedPciFunction> publishedFunctions, AssignedDevice<?> device)
            throws DeviceException {
        return publishedFunctions.stream()
                .filter(one -> one.function().name().equals(device.name()))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceException(
                                ("%s cannot be prepared: it does not exist, no rule matches it, or"
                                                + " the machine needs it now")
                                        .formatted(device.name())));
    }

    private ContainerEdits edits(PublishedPciFunction published, boolean isAdmin) {
        var edits =
                ContainerEdits.NONE.withEnv(
                        DerivedNames.variable("pci", published.function().name()),
                        published.function().address().text());
        if (isAdmin) {
            return edits;
        }
        for (var file : published.files()) {
            edits =
                    edits.withDeviceNode(
                            DeviceNode.of("/dev/" + file)
                                    .withHostPath(machine.dev().resolve(file).toString())
                                    .withPermissions("rw"));
        }
        return edits;
    }

    @Override
    public void unprepare(PreparedClaim claim) throws DeviceException, IOException {
        var uid = claim.claim().uid();
        for (var tree : undoRecords.find(uid).orElse(JsonObject.EMPTY).objects(BOUND)) {
            var bound = VfioBinding.of(tree);
            if (bound.isPresent()) {
                binding.restore(
                        bound.get().address(), bound.get().driver(), bound.get().override());
            }
        }
        undoRecords.delete(uid);
    }

    /// A function bound to VFIO, with its original driver.
    record VfioBinding(PciAddress address, Optional<String> driver, Optional<String> override) {

        JsonObject tree() {
            return JsonObject.of("address", Json.of(address.text()))
                    .with("driver", Json.of(driver.orElse("")))
                    .with("override", Json.of(override.orElse("")));
        }

        static Optional<VfioBinding> of(JsonObject tree) {
            return PciAddress.tryParse(tree.text("address"))
                    .map(address ->
                            new VfioBinding(
                                    address,
                                    tree.string("driver").filter(one -> !one.isEmpty()),
                                    tree.string("override").filter(one -> !one.isEmpty())));
        }
    }
}
