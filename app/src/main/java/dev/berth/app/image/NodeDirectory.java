package dev.berth.app.image;

import dev.berth.node.image.ImageStore;
import dev.berth.node.oci.OciSettings;
import java.nio.file.Path;
import java.time.Clock;
import picocli.CommandLine.Option;

/// Where the node keeps its images.
final class NodeDirectory {

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "The node's directory (default: ${DEFAULT-VALUE}).")
    private Path root = OciSettings.ROOT;

    ImageStore store() {
        return new ImageStore(OciSettings.images(root), Clock.systemUTC());
    }

    Path root() {
        return root;
    }
}
