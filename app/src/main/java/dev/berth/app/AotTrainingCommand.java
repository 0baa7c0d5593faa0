package dev.berth.app;

import dev.berth.app.bench.BenchCommand;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import picocli.CommandLine.Command;

/// `berth rehearse`: runs the usual commands once, so that their classes get into the ahead-of-time
/// cache. Run by `scripts/train-aot` only.
@Command(
        name = "rehearse",
        hidden = true,
        description = "Train the ahead-of-time cache; used by the build.")
final class AotTrainingCommand implements Runnable {

    @Override
    public void run() {
        rehearse("--help");
        rehearse("lint --help");
        rehearse("demo --only 02");
        rehearse("bench scheduling --shape empty --nodes 5 --seconds 1 --warm-up 0 --rounds 1");
        try {
            serve();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A server on a port that is free, in a directory that is gone afterwards, and a first client.
    private static void serve() throws IOException {
        var directory = Files.createTempDirectory("berth-rehearsal");
        try (var server =
                ApiServer.start(ServerSettings.in(directory).withAddress("127.0.0.1", 0))) {
            BenchCommand.rehearse(server.kubeconfig());
        } finally {
            BenchCommand.delete(directory);
        }
    }

    private static void rehearse(String arguments) {
        var silence = new PrintWriter(Writer.nullWriter());
        var commandLine = Berth.commandLine().setOut(silence).setErr(silence);
        var code = commandLine.execute(arguments.split(" "));
        if (code != 0) {
            throw new IllegalStateException("berth %s ended with %d".formatted(arguments, code));
        }
    }
}
