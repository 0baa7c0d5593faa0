package dev.berth.drivers.disk;

import dev.berth.drivers.machine.ClaimUndoRecords;
import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.Device;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.DeviceReport;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PrepareResult.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Provides file-backed disks of any size to containers.
///
/// Each claim has its own directory for images. Space is reserved when an image is created, so that
/// other files cannot use up the space of an allocated disk.
public final class DiskDriver implements MachineDriver<DiskParameters> {

    public static final String NAME = "disk.berth.dev";

    private final List<DiskDirectory> storages;
    private final Path mounts;
    private final ClaimUndoRecords undoRecords;
    private final DiskProvisioner disks;

    /// @param data directory of mount points, and of images if none is configured
    public DiskDriver(MachineRoots machine, DiskConfig config, Path data) {
        this.storages = config.storagesOr(data.resolve("disks"));
        this.mounts = data.resolve("mounts");
        this.undoRecords = new ClaimUndoRecords(data.resolve("notes"));
        this.disks = new DiskProvisioner(machine);
    }

    @Override
    public List<Device> discover() throws DeviceException {
        var devices = new ArrayList<Device>();
        for (var storage : storages) {
            device(storage).ifPresent(devices::add);
        }
        return devices;
    }

    /// Empty when there is no space for the smallest disk.
    private static Optional<Device> device(DiskDirectory storage) throws DeviceException {
        try {
            var store = Files.getFileStore(existing(storage.directory()));
            var used = 0L;
            for (var claim : DiskProvisioner.files(storage.directory())) {
                for (var image : DiskProvisioner.files(claim)) {
                    used += Files.size(image);
                }
            }
            var capacity = DiskDirectories.capacity(storage, store.getUsableSpace(), used);
            return capacity < DiskDirectories.STEP
                    ? Optional.empty()
                    : Optional.of(DiskDirectories.device(storage, capacity, store.type()));
        } catch (IOException e) {
            throw new DeviceException(
                    "cannot use storage %s: %s".formatted(storage.name(), FailureText.of(e)), e);
        }
    }

    /// The nearest existing parent, whose free space is used until the directory is created with
    /// its first disk.
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
    public Parameters<DiskParameters> parameters() {
        return DiskParameters.PARAMETERS;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<DiskParameters> claim)
            throws DeviceException, IOException {
        var uid = claim.claim().uid();
        var names = DerivedNames.byRequest(claim.devices());
        var directories = new ArrayList<Json>();
        for (var device : claim.devices()) {
            directories.add(
                    Json.of(storage(device.name()).directory().resolve(uid.value()).toString()));
        }
        undoRecords.put(uid, JsonObject.of("images", Json.array(directories)));
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            prepared.add(prepare(uid, device, Optional.ofNullable(names.get(device)).orElse("")));
        }
        return new PrepareResult(prepared);
    }

    private PreparedDevice prepare(Uid uid, AssignedDevice<DiskParameters> device, String name)
            throws DeviceException, IOException {
        if (device.isAdmin()) {
            throw new DeviceException(
                    ("%s does not support adminAccess: a disk exists only while it is allocated;"
                                    + " request it without adminAccess")
                            .formatted(device.name()));
        }
        var parameters = device.parameters();
        var images = storage(device.name()).directory().resolve(uid.value());
        var disk =
                new Disk(
                        images.resolve(name + ".img"),
                        mounts.resolve(uid.value()).resolve(name),
                        size(device),
                        parameters);
        disks.create(disk);
        var loop = disks.attach(disk);
        if (parameters.mountPath().isPresent()) {
            disks.mount(disk, loop);
        }
        var report =
                JsonObject.of("device", Json.of(loop.toString()))
                        .with("sizeBytes", Json.of(disk.size()));
        return PreparedDevice.of(device, edits(disk, loop, name))
                .withReport(DeviceReport.of(report));
    }

    private static long size(AssignedDevice<DiskParameters> device) throws DeviceException {
        var size = Optional.ofNullable(device.consumedCapacity().get(DiskDirectories.SIZE));
        return size.orElseThrow(() ->
                        new DeviceException(
                                ("the allocation of %s does not say how much of %s it takes;"
                                                + " the cluster needs the feature gate"
                                                + " DRAConsumableCapacity")
                                        .formatted(device.name(), DiskDirectories.SIZE)))
                .roundedUp();
    }

    private static ContainerEdits edits(Disk disk, Path loop, String name) {
        var variable = DerivedNames.variable("disk", name);
        var mountPath = disk.parameters().mountPath();
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
        var path = disk.parameters().devicePath().orElse("/dev/berth/" + name);
        return ContainerEdits.NONE
                .withEnv(variable, path)
                .withDeviceNode(
                        DeviceNode.of(path).withHostPath(loop.toString()).withPermissions("rw"));
    }

    private DiskDirectory storage(String name) throws DeviceException {
        return storages.stream()
                .filter(storage -> storage.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceException(
                                "unknown storage %s; is it still in the driver's configuration?"
                                        .formatted(name)));
    }

    @Override
    public void unprepare(PreparedClaim claim)
            throws DeviceException, IOException, InterruptedException {
        var uid = claim.claim().uid();
        var undoRecord = undoRecords.find(uid).orElse(JsonObject.EMPTY);
        for (var place : undoRecord.strings("images").stream().distinct().toList()) {
            disks.remove(Path.of(place), mounts.resolve(uid.value()));
        }
        undoRecords.delete(uid);
    }
}
