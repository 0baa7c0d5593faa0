package dev.berth.drivers.disk;

import dev.berth.drivers.disk.DiskParameters.Filesystem;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.MountInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Makes disks and takes them away; each step may have been done before, or half of it.
final class DiskProvisioner {

    private static final String UNFINISHED = ".part";
    private static final Pattern LOOP = Pattern.compile("/dev/loop([0-9]+)");
    private static final int LOOP_MAJOR = 7;
    private static final int EVERYBODY = 0777;

    /// How long the kernel may take to let go of a disk that nobody uses any more.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private final MachineRoots machine;

    DiskProvisioner(MachineRoots machine) {
        this.machine = machine;
    }

    /// Makes the file if it is not there. Under its name it is always whole.
    void make(Disk disk) throws DeviceException, IOException {
        if (Files.exists(disk.image())) {
            return;
        }
        var directory = disk.image().resolveSibling("");
        Files.createDirectories(directory);
        var unfinished = disk.image().resolveSibling(disk.image().getFileName() + UNFINISHED);
        Files.deleteIfExists(unfinished);
        try {
            reserve(unfinished, disk.size());
            if (disk.wish().filesystem() == Filesystem.EXT4) {
                // Discarding would give back the space that was just reserved.
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
        Files.move(unfinished, disk.image(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void reserve(Path file, long size) throws DeviceException, IOException {
        var ended =
                machine.tools().attempt("fallocate", "-l", Long.toString(size), file.toString());
        if (!ended.isDone()) {
            var free = Files.getFileStore(file.resolveSibling("")).getUsableSpace();
            throw new DeviceException(
                    "no disk of %d MiB in %s, where %d MiB are free: %s"
                            .formatted(
                                    size >> 20,
                                    file.resolveSibling(""),
                                    free >> 20,
                                    ended.errors()));
        }
    }

    /// The loop device that shows the file as a disk.
    Path attach(Disk disk) throws DeviceException {
        var there = loops(disk.image());
        if (!there.isEmpty()) {
            return Path.of(there.iterator().next());
        }
        var next = machine.tools().run("losetup", "--find");
        makeNode(next);
        return Path.of(machine.tools().run("losetup", "--find", "--show", disk.image().toString()));
    }

    /// Where nobody keeps `/dev` up to date there is no file for a new loop device.
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
        // Containers have users that this machine does not know.
        Files.setAttribute(disk.mount(), "unix:mode", EVERYBODY);
    }

    private boolean isMounted(Path place) {
        return MountInfo.read(machine.proc()).stream()
                .anyMatch(mount -> mount.place().equals(place.toString()));
    }

    /// Takes away everything that is below two directories.
    ///
    /// @param images a claim's files in a storage
    /// @param mounts where they may be mounted
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
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!loops(image).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new DeviceException(
                        "%s is still in use as %s; end what has it open or mounted"
                                .formatted(image, String.join(", ", loops(image))));
            }
            Thread.sleep(LOOK_EVERY);
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
