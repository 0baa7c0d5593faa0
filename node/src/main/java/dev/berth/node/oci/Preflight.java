package dev.berth.node.oci;

import dev.berth.node.image.ImageStore;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.MountTable;
import java.io.IOException;
import java.time.Clock;
import java.util.regex.Pattern;

/// Checks at the start whether this machine can run containers.
final class Preflight {

    /// Paths are used in mount options and command batches, where other characters have a meaning.
    private static final Pattern SAFE_PATH = Pattern.compile("[A-Za-z0-9/._-]+");

    private Preflight() {}

    static void check(OciOptions options) throws RuntimeFailure {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            throw new RuntimeFailure("containers need Linux");
        }
        if (HostPrivileges.user().filter(uid -> uid == 0).isEmpty()) {
            throw new RuntimeFailure("containers need root; start the node with sudo");
        }
        if (!SAFE_PATH.matcher(options.root().toString()).matches()) {
            throw new RuntimeFailure(
                    "the directory \"%s\" has characters that mount options cannot have"
                            .formatted(options.root()));
        }
    }

    /// Creates the services of the runtime.
    static OciServices services(OciOptions options, Clock clock, Programs programs, Runc runc)
            throws RuntimeFailure, IOException {
        var cgroups = new Cgroups(options.cgroupParent(), MountTable.read());
        if (!cgroups.areMounted()) {
            throw new RuntimeFailure(
                    "no cgroups are mounted; mount them with: mount -t cgroup2 cgroup2"
                            + " /sys/fs/cgroup");
        }
        var state = options.state();
        var mounts = new MountOperations(programs);
        mounts.removeTree(state.resolve("trial"));
        return new OciServices(
                state,
                clock,
                HostPrivileges.read(),
                programs,
                mounts,
                cgroups,
                RootFilesystems.probe(programs, mounts, state.resolve("trial")),
                runc,
                runc.version(),
                new ImageStore(OciOptions.images(options.root()), clock),
                options.cdiDirectories(),
                RecordFiles.open(state.resolve("sandboxes"), SandboxRecord::read),
                RecordFiles.open(state.resolve("containers"), ContainerRecord::read));
    }
}
