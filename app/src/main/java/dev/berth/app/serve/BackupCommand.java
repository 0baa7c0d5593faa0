package dev.berth.app.serve;

import dev.berth.server.store.SqliteBackup;
import dev.berth.server.store.SqliteStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup`: a copy of everything that a server has stored.
@Command(
        name = "backup",
        description = {
            "Copy what a server has stored into a file, whether the server is running or not.",
            "The copy holds secrets: keep it where only you can read it."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  berth backup /backups/monday.db", ""})
public final class BackupCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The copy; must not exist yet.")
    private Path file = Path.of("");

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "The server's directory (default: ~/.local/share/berth).")
    private Optional<Path> directory = Optional.empty();

    @Override
    public Integer call() {
        var from = directory.orElseGet(ServerOptions::usualDirectory).resolve(SqliteStore.FILE);
        SqliteBackup.write(from, file);
        spec.commandLine().getOut().println("Copied " + from + " to " + file);
        return 0;
    }
}
