package dev.berth.drivers.disk;

import dev.berth.drivers.machine.ClaimNotes;
import dev.berth.drivers.machine.DeviceFailure;
import dev.berth.drivers.machine.Machine;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.Names;
import dev.berth.model.api.Device;
import dev.berth.model.api.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.Assignment;
import dev.berth.node.driver.DeviceReport;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.Preparation;
import dev.berth.node.driver.Preparation.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Gives disks of any size to containers.
///
/// A claim's files are in a directory of its own in the storage. Space is reserved when the file is
/// made, so that a disk that was given does not fill up from outside.
public final class DiskDriver implements MachineDriver<DiskWish> {

    public static final String NAME = "disk.berth.dev";

    private final List<Storage> storages;
    private final Path mounts;
    private final ClaimNotes notes;
    private final Disks disks;

    /// @param data where disks are mounted, and kept if the configuration names no other place
    public DiskDriver(Machine machine, DiskConfig config, Path data) {
        this.storages = config.storagesOr(data.resolve("disks"));
        this.mounts = data.resolve("mounts");
        this.notes = new ClaimNotes(data.resolve("notes"));
        this.disks = new Disks(machine);
    }

    @Override
    public List<Device> discover() throws DeviceFailure {
        var devices = new ArrayList<Device>();
        for (var storage : storages) {
            device(storage).ifPresent(devices::add);
        }
        return devices;
    }

    /// Nothing when there is no room for the least disk.
    private static Optional<Device> device(Storage storage) throws DeviceFailure {
        try {
            var store = Files.getFileStore(existing(storage.directory()));
            var used = 0L;
            for (var claim : Disks.files(storage.directory())) {
                for (var image : Disks.files(claim)) {
                    used += Files.size(image);
                }
            }
            var capacity = Storages.capacity(storage, store.getUsableSpace(), used);
            return capacity < Storages.STEP
                    ? Optional.empty()
                    : Optional.of(Storages.device(storage, capacity, store.type()));
        } catch (IOException e) {
            throw new DeviceFailure(
                    "storage %s cannot be used: %s".formatted(storage.name(), FailureText.of(e)),
                    e);
        }
    }

    /// A directory is made with its first disk; until then the one above tells how much is free.
    private static Path existing(Path directory) {
        return Stream.iterate(
                        Optional.of(directory.toAbsolutePath()),
                        Optional::isPresent,
                        one -> one.map(Path::getParent))
                .flatMap(Optional::stream)
                .filter(Files::isDirectory)
                .findFirst()
                .orElse(directory);
    }

    @Override
    public Parameters<DiskWish> parameters() {
        return DiskWish.PARAMETERS;
    }

    @Override
    public Preparation prepare(Assignment<DiskWish> claim) throws DeviceFailure, IOException {
        var uid = claim.claim().uid();
        var names = Names.byRequest(claim.devices());
        var places = new ArrayList<Json>();
        for (var device : claim.devices()) {
            places.add(Json.of(storage(device.name()).directory().resolve(uid.value()).toString()));
        }
        notes.put(uid, JsonObject.of("images", Json.array(places)));
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            prepared.add(prepare(uid, device, Optional.ofNullable(names.get(device)).orElse("")));
        }
        return new Preparation(prepared);
    }

    private PreparedDevice prepare(Uid uid, AssignedDevice<DiskWish> device, String name)
            throws DeviceFailure, IOException {
        if (device.isAdmin()) {
            throw new DeviceFailure(
                    ("%s cannot be watched over: it has no disk before a claim gets one; ask"
                                    + " without adminAccess")
                            .formatted(device.name()));
        }
        var wish = device.parameters();
        var images = storage(device.name()).directory().resolve(uid.value());
        var disk =
                new Disk(
                        images.resolve(name + ".img"),
                        mounts.resolve(uid.value()).resolve(name),
                        size(device),
                        wish);
        disks.make(disk);
        var loop = disks.attach(disk);
        if (wish.mountPath().isPresent()) {
            disks.mount(disk, loop);
        }
        var report =
                JsonObject.of("device", Json.of(loop.toString()))
                        .with("sizeBytes", Json.of(disk.size()));
        return PreparedDevice.of(device, edits(disk, loop, name))
                .withReport(DeviceReport.of(report));
    }

    private static long size(AssignedDevice<DiskWish> device) throws DeviceFailure {
        var size = Optional.ofNullable(device.consumedCapacity().get(Storages.SIZE));
        return size.orElseThrow(() ->
                        new DeviceFailure(
                                ("the allocation of %s does not say how much of %s it takes;"
                                                + " the cluster needs the feature gate"
                                                + " DRAConsumableCapacity")
                                        .formatted(device.name(), Storages.SIZE)))
                .roundedUp();
    }

    private static ContainerEdits edits(Disk disk, Path loop, String name) {
        var variable = Names.variable("disk", name);
        var mountPath = disk.wish().mountPath();
        if (mountPath.isPresent()) {
            return ContainerEdits.NONE
                    .withEnv(variable, mountPath.get())
                    .withMount(
                            new Mount(
                                    disk.mount().toString(),
                                    mountPath.get(),
                                    List.of("rw", "nosuid", "nodev", "bind"),
                                    ""));
        }
        var path = disk.wish().devicePath().orElse("/dev/berth/" + name);
        return ContainerEdits.NONE
                .withEnv(variable, path)
                .withDeviceNode(
                        DeviceNode.of(path).withHostPath(loop.toString()).withPermissions("rw"));
    }

    private Storage storage(String name) throws DeviceFailure {
        return storages.stream()
                .filter(storage -> storage.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceFailure(
                                "there is no storage %s; is it still in the driver's configuration?"
                                        .formatted(name)));
    }

    @Override
    public void unprepare(PreparedClaim claim)
            throws DeviceFailure, IOException, InterruptedException {
        var uid = claim.claim().uid();
        var note = notes.find(uid).orElse(JsonObject.EMPTY);
        for (var place : note.strings("images").stream().distinct().toList()) {
            disks.remove(Path.of(place), mounts.resolve(uid.value()));
        }
        notes.delete(uid);
    }
}
