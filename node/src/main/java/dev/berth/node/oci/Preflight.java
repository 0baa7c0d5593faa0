package dev.berth.node.oci;

import dev.berth.node.image.ImageStore;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.MountTable;
import java.io.IOException;
import java.time.Clock;
import java.util.regex.Pattern;

/// Finds out, before anything is done, whether this machine can run containers.
final class Preflight {

    /// Paths go into mount options and lists of commands, in which other letters mean something.
    private static final Pattern SAFE_PATH = Pattern.compile("[A-Za-z0-9/._-]+");

    private Preflight() {}

    static void check(OciSettings settings) throws RuntimeFailure {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            throw new RuntimeFailure("containers need Linux; this is another system");
        }
        if (HostPrivileges.user().filter(uid -> uid == 0).isEmpty()) {
            throw new RuntimeFailure("containers need root; start the node with sudo");
        }
        if (!SAFE_PATH.matcher(settings.root().toString()).matches()) {
            throw new RuntimeFailure(
                    "the directory \"%s\" has characters that mounts cannot have; take another"
                            .formatted(settings.root()));
        }
    }

    /// Gathers what the work is done with.
    static OciServices parts(OciSettings settings, Clock clock, Programs programs, Runc runc)
            throws RuntimeFailure, IOException {
        var cgroups = new Cgroups(settings.cgroupParent(), MountTable.read());
        if (!cgroups.areThere()) {
            throw new RuntimeFailure(
                    "no control groups are mounted; mount them with: mount -t cgroup2 cgroup2"
                            + " /sys/fs/cgroup");
        }
        var state = settings.state();
        var mounting = new MountOperations(programs);
        mounting.removeTree(state.resolve("trial"));
        return new OciServices(
                state,
                clock,
                HostPrivileges.look(),
                programs,
                mounting,
                cgroups,
                RootFilesystems.tried(programs, mounting, state.resolve("trial")),
                runc,
                runc.version(),
                new ImageStore(OciSettings.images(settings.root()), clock),
                settings.cdiDirectories(),
                RecordFiles.open(state.resolve("sandboxes"), SandboxRecord::read),
                RecordFiles.open(state.resolve("containers"), ContainerRecord::read));
    }
}
