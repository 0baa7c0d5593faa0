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

/// `berth restore`: replaces the stored objects by a backup.
@Command(
        name = "restore",
        description = {
            "Replace the object store of a server with a backup.",
            "",
            "The server must not be running. The replaced store is kept in the same directory."
        },
        mixinStandardHelpOptions = true,
        footer = {"Example:", "  berth restore /backups/monday.db"})
public final class RestoreCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Backup to restore.")
    private Path file = Path.of("");

    @Mixin private DataDirectoryOption directory = new DataDirectoryOption();

    @Override
    public Integer call() {
        var to = directory.path().resolve(SqliteStore.FILE);
        var aside = SqliteBackup.restore(file, to);
        var out = spec.commandLine().getOut();
        out.println("Restored " + to + " from " + file);
        aside.ifPresent(kept -> out.println("The former store is now " + kept));
        return 0;
    }
}
