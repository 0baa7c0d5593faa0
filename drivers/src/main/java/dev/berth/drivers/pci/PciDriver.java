package dev.berth.drivers.pci;

import dev.berth.drivers.machine.ClaimUndoRecords;
import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.MountInfo;
import dev.berth.drivers.machine.NetworkNamespace;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.model.api.Device;
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

/// Gives PCI functions to containers.
///
/// Never those that the machine needs: the controllers of whatever is mounted or swapped to, and
/// the cards of default routes.
public final class PciDriver implements MachineDriver<Parameters.None> {

    public static final String NAME = "pci.berth.dev";

    private static final String BOUND = "bound";

    private final MachineRoots machine;
    private final PciConfig config;
    private final ClaimUndoRecords notes;
    private final PciDriverBinding binding;
    private final PciDeviceFiles nodes;
    private final Interfaces interfaces;

    /// Which interfaces the machine needs.
    interface Interfaces {
        List<String> needed() throws DeviceException;
    }

    /// @param data where it is noted which driver a function had
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
            PciDriverBinding.Pen pen,
            Interfaces interfaces) {
        this.machine = machine;
        this.config = config;
        this.notes = new ClaimUndoRecords(data.resolve("notes"));
        this.binding = new PciDriverBinding(machine.sysfs(), pen);
        this.nodes = new PciDeviceFiles(machine.sysfs());
        this.interfaces = interfaces;
    }

    @Override
    public List<Device> discover() throws DeviceException {
        var standard = new StandardAttributes(machine.sysfs());
        return offers().stream().map(offer -> offer.device(standard)).toList();
    }

    private List<PublishedPciFunction> offers() throws DeviceException {
        var needed = needed();
        var bound = bound();
        var offers = new ArrayList<PublishedPciFunction>();
        for (var now : PciFunction.all(machine.sysfs())) {
            // What a claim has is offered as it was before.
            var noted = bound.stream().filter(one -> one.address().equals(now.address())).findAny();
            var function = noted.map(one -> now.withDriver(one.driver())).orElse(now);
            // Without its physical function a virtual one is gone, whoever has it.
            if (function.isBridge()
                    || function.numVfs() > 0
                    || needed.contains(function.address())) {
                continue;
            }
            config.rules().stream()
                    .filter(rule -> rule.fits(function))
                    .findFirst()
                    .map(rule ->
                            new PublishedPciFunction(
                                    function, rule.use(), files(rule.use(), function)))
                    .filter(PublishedPciFunction::isUseful)
                    .ifPresent(offers::add);
        }
        return offers;
    }

    private List<String> files(PciFunctionMode use, PciFunction function) {
        return switch (use) {
            case VFIO -> function.group().map(PublishedPciFunction::vfioFiles).orElse(List.of());
            case NODES -> nodes.of(function.address());
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
        // Virtual functions live as long as their physical one does its work.
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

    private List<Bound> bound() throws DeviceException {
        try {
            return notes.all().stream()
                    .flatMap(note -> note.objects(BOUND).stream())
                    .flatMap(tree -> Bound.of(tree).stream())
                    .toList();
        } catch (IOException e) {
            throw new DeviceException("notes of claims cannot be read: " + e, e);
        }
    }

    @Override
    public Parameters<Parameters.None> parameters() {
        return Parameters.NONE;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<Parameters.None> claim)
            throws DeviceException, IOException {
        var offers = offers();
        var chosen = new ArrayList<PublishedPciFunction>();
        for (var device : claim.devices()) {
            chosen.add(find(offers, device));
        }
        var uid = claim.claim().uid();
        var known = notes.find(uid).orElse(JsonObject.EMPTY).objects(BOUND);
        notes.put(uid, JsonObject.of(BOUND, Json.array(toBind(claim, chosen, known))));
        var prepared = new ArrayList<PreparedDevice>();
        for (var i = 0; i < chosen.size(); i++) {
            var offer = chosen.get(i);
            var device = claim.devices().get(i);
            if (offer.use() == PciFunctionMode.VFIO && !device.isAdmin()) {
                IommuGroups.check(offer.function(), PciFunction.all(machine.sysfs()), chosen);
                binding.toVfio(offer.function().address());
            }
            prepared.add(PreparedDevice.of(device, edits(offer, device.isAdmin())));
        }
        return new PrepareResult(prepared);
    }

    /// What has to be given back; what was noted first counts, for it was true before all.
    private List<Json> toBind(
            ClaimAssignment<?> claim, List<PublishedPciFunction> chosen, List<JsonObject> known) {
        var all = new ArrayList<Json>();
        for (var i = 0; i < chosen.size(); i++) {
            var offer = chosen.get(i);
            if (offer.use() == PciFunctionMode.VFIO && !claim.devices().get(i).isAdmin()) {
                var address = offer.function().address();
                all.add(
                        known.stream()
                                .filter(tree -> tree.text("address").equals(address.text()))
                                .findFirst()
                                .orElseGet(() ->
                                        new Bound(
                                                        address,
                                                        binding.driver(address),
                                                        binding.override(address))
                                                .tree()));
            }
        }
        return all;
    }

    private static PublishedPciFunction find(
            List<PublishedPciFunction> offers, AssignedDevice<?> device) throws DeviceException {
        return offers.stream()
                .filter(one -> one.function().name().equals(device.name()))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceException(
                                ("%s cannot be given away: it is gone, no rule fits it any more, or"
                                                + " the machine needs it now")
                                        .formatted(device.name())));
    }

    private ContainerEdits edits(PublishedPciFunction offer, boolean isAdmin) {
        var edits =
                ContainerEdits.NONE.withEnv(
                        DerivedNames.variable("pci", offer.function().name()),
                        offer.function().address().text());
        if (isAdmin) {
            return edits;
        }
        for (var file : offer.files()) {
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
        for (var tree : notes.find(uid).orElse(JsonObject.EMPTY).objects(BOUND)) {
            var bound = Bound.of(tree);
            if (bound.isPresent()) {
                binding.back(bound.get().address(), bound.get().driver(), bound.get().override());
            }
        }
        notes.delete(uid);
    }

    /// A function that was given to VFIO, and what it was before.
    record Bound(PciAddress address, Optional<String> driver, Optional<String> override) {

        JsonObject tree() {
            return JsonObject.of("address", Json.of(address.text()))
                    .with("driver", Json.of(driver.orElse("")))
                    .with("override", Json.of(override.orElse("")));
        }

        static Optional<Bound> of(JsonObject tree) {
            return PciAddress.tryParse(tree.text("address"))
                    .map(address ->
                            new Bound(
                                    address,
                                    tree.string("driver").filter(one -> !one.isEmpty()),
                                    tree.string("override").filter(one -> !one.isEmpty())));
        }
    }
}
