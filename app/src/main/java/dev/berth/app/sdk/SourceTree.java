package dev.berth.app.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The clone of the repository that this command was built from, which has the poms.
record SourceTree(Path root) {

    /// Finds the clone by the path of the launcher `./berth`.
    ///
    /// @throws IOException when the command was not started by the launcher of a clone
    static SourceTree find() throws IOException {
        var launcher = Optional.ofNullable(System.getenv("BERTH_LAUNCHER")).orElse("berth");
        var tree = new SourceTree(Path.of(launcher).toAbsolutePath().resolveSibling(""));
        if (!Files.isRegularFile(tree.pom("bom"))) {
            throw new IOException(
                    "%s does not exist; run ./berth sdk install in a clone of the Berth repository"
                            .formatted(tree.pom("bom")));
        }
        return tree;
    }

    /// The pom of a module, or of the parent of all for the empty name.
    Path pom(String module) {
        return root.resolve(module).resolve("pom.xml").normalize();
    }

    Path sources(SdkModule module) {
        return root.resolve(module.artifact()).resolve(module.sources());
    }
}
