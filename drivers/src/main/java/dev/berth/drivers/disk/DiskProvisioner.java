package dev.berth.drivers.disk;

import dev.berth.drivers.disk.DiskParameters.Filesystem;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.MountInfo;
import dev.berth.model.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Creates and removes disks. Every step is idempotent and completes an interrupted one.
final class DiskProvisioner {

    private static final String UNFINISHED = ".part";
    private static final Pattern LOOP = Pattern.compile("/dev/loop([0-9]+)");
    private static final int LOOP_MAJOR = 7;
    private static final int WORLD_WRITABLE = 0777;

    /// Timeout for the kernel to detach an unused loop device.
    private static final Duration DETACH_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final MachineRoots machine;

    DiskProvisioner(MachineRoots machine) {
        this.machine = machine;
    }

    /// Creates the image if it does not exist. It gets its final name once it is complete.
    void create(Disk disk) throws DeviceException, IOException {
        if (Files.exists(disk.image())) {
            return;
        }
        var directory = disk.image().resolveSibling("");
        Files.createDirectories(directory);
        var unfinished = disk.image().resolveSibling(disk.image().getFileName() + UNFINISHED);
        Files.deleteIfExists(unfinished);
        try {
            reserve(unfinished, disk.size());
            if (disk.parameters().filesystem() == Filesystem.EXT4) {
                // Discarding would release the space that was just reserved.
                machine.tools()
                        .run(
                                "mkfs.ext4",
                                "-q",
                                "-F",
                                "-m",
                                "0",
                                "-E",
                                "nodiscard",
                                unfinished.toString());
            }
        } catch (DeviceException e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
        AtomicFile.rename(unfinished, disk.image());
    }

    private void reserve(Path file, long size) throws DeviceException, IOException {
        var result =
                machine.tools().attempt("fallocate", "-l", Long.toString(size), file.toString());
        if (!result.isSuccess()) {
            var free = Files.getFileStore(file.resolveSibling("")).getUsableSpace();
            throw new DeviceException(
                    "cannot reserve a disk of %d MiB in %s with %d MiB free: %s"
                            .formatted(
                                    size >> 20,
                                    file.resolveSibling(""),
                                    free >> 20,
                                    result.errors()));
        }
    }

    /// Attaches the image to a loop device.
    Path attach(Disk disk) throws DeviceException {
        var attached = loops(disk.image());
        if (!attached.isEmpty()) {
            return Path.of(attached.iterator().next());
        }
        var next = machine.tools().run("losetup", "--find");
        makeNode(next);
        return Path.of(machine.tools().run("losetup", "--find", "--show", disk.image().toString()));
    }

    /// Without udev, a new loop device has no device file.
    private void makeNode(String loop) throws DeviceException {
        var number = LOOP.matcher(loop);
        if (number.matches() && !Files.exists(Path.of(loop))) {
            machine.tools()
                    .run(
                            "mknod",
                            "-m",
                            "600",
                            loop,
                            "b",
                            Integer.toString(LOOP_MAJOR),
                            number.group(1));
        }
    }

    private Set<String> loops(Path image) throws DeviceException {
        var output =
                machine.tools()
                        .run("losetup", "-j", image.toString(), "--noheadings", "-O", "NAME");
        return new TreeSet<>(output.lines().map(String::strip).filter(l -> !l.isEmpty()).toList());
    }

    void mount(Disk disk, Path loop) throws DeviceException, IOException {
        if (!isMounted(disk.mount())) {
            Files.createDirectories(disk.mount());
            machine.tools().run("mount", "-t", "ext4", loop.toString(), disk.mount().toString());
        }
        // Containers may run as any user.
        Files.setAttribute(disk.mount(), "unix:mode", WORLD_WRITABLE);
    }

    private boolean isMounted(Path mountPoint) {
        return MountInfo.read(machine.proc()).stream()
                .anyMatch(mount -> mount.mountPoint().equals(mountPoint.toString()));
    }

    /// Unmounts, detaches and deletes the disks of a claim.
    ///
    /// @param images directory of the claim's images
    /// @param mounts directory of the claim's mount points
    void remove(Path images, Path mounts)
            throws DeviceException, IOException, InterruptedException {
        for (var mount : files(mounts)) {
            while (isMounted(mount)) {
                machine.tools().run("umount", mount.toString());
            }
            Files.deleteIfExists(mount);
        }
        Files.deleteIfExists(mounts);
        for (var image : files(images)) {
            detach(image);
            Files.deleteIfExists(image);
        }
        Files.deleteIfExists(images);
    }

    private void detach(Path image) throws DeviceException, InterruptedException {
        for (var loop : loops(image)) {
            machine.tools().run("losetup", "-d", loop);
        }
        var deadline = System.nanoTime() + DETACH_TIMEOUT.toNanos();
        while (!loops(image).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new DeviceException(
                        "%s is still in use as %s; stop the processes or mounts that use it"
                                .formatted(image, String.join(", ", loops(image))));
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
