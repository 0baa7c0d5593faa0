package dev.berth.app.serve;

import dev.berth.app.running.DataDirectoryOption;
import dev.berth.server.store.sqlite.SqliteBackup;
import dev.berth.server.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup`: writes a copy of all stored objects.
@Command(
        name = "backup",
        description = {
            "Copy the object store of a server into a file.",
            "",
            "The server may be running. The copy contains secrets: keep it in a directory that only"
                    + " you can read."
        },
        mixinStandardHelpOptions = true,
        footer = {"Example:", "  berth backup /backups/monday.db"})
public final class BackupCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Copy of the store; must not exist yet.")
    private Path file = Path.of("");

    @Mixin private DataDirectoryOption directory = new DataDirectoryOption();

    @Override
    public Integer call() {
        var from = directory.path().resolve(SqliteStore.FILE);
        SqliteBackup.write(from, file);
        spec.commandLine().getOut().println("Copied " + from + " to " + file);
        return 0;
    }
}
