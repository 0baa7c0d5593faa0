package dev.berth.app.running;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The option `--data-dir` of commands on one server or cluster.
public final class DataDirectoryOption {

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description =
                    "Data directory for certificates, keys and the object store (default:"
                            + " ~/.local/share/berth).")
    private Optional<Path> directory = Optional.empty();

    /// True when the option is not given.
    public boolean isDefault() {
        return directory.isEmpty();
    }

    public Path path() {
        return directory.orElseGet(DataDirectory::usual);
    }
}
