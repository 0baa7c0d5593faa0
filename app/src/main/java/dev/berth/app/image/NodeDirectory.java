package dev.berth.app.image;

import dev.berth.node.image.ImageStore;
import dev.berth.node.oci.OciOptions;
import java.nio.file.Path;
import java.time.Clock;
import picocli.CommandLine.Option;

/// The option for the directory of the node, which contains its images.
final class NodeDirectory {

    @Option(names = "--root", paramLabel = "DIR", description = "Directory of the node.")
    private Path root = OciOptions.ROOT;

    ImageStore store() {
        return new ImageStore(OciOptions.images(root), Clock.systemUTC());
    }

    /// The option as it must be repeated in other commands; empty for the default directory.
    String option() {
        return root.equals(OciOptions.ROOT) ? "" : " --root " + root;
    }

    Path root() {
        return root;
    }
}
