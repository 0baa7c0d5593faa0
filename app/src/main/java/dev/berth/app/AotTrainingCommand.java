package dev.berth.app;

import dev.berth.app.bench.BenchCommand;
import dev.berth.model.file.TemporaryDirectory;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import picocli.CommandLine.Command;

/// `berth trainClasses`: runs the usual commands once to train the ahead-of-time class cache.
/// Called by `scripts/train-aot` only.
@Command(
        name = "rehearse",
        hidden = true,
        description = "Train the ahead-of-time cache; used by the build.")
final class AotTrainingCommand implements Runnable {

    @Override
    public void run() {
        trainClasses("--help");
        trainClasses("lint --help");
        trainClasses("demo --only 02");
        trainClasses("bench scheduling --shape empty --nodes 5 --seconds 1 --warm-up 0 --rounds 1");
        try {
            serve();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts a server on a free port with a temporary data directory, and sends it the first
    /// requests of a client.
    private static void serve() throws IOException {
        try (var directory = TemporaryDirectory.create("berth-rehearsal");
                var server =
                        ApiServer.start(
                                ServerSettings.in(directory.path()).withAddress("127.0.0.1", 0))) {
            BenchCommand.trainClasses(server.kubeconfig());
        }
    }

    private static void trainClasses(String arguments) {
        var silence = new PrintWriter(Writer.nullWriter());
        var commandLine = Berth.commandLine().setOut(silence).setErr(silence);
        var code = commandLine.execute(arguments.split(" "));
        if (code != 0) {
            throw new IllegalStateException("berth %s ended with %d".formatted(arguments, code));
        }
    }
}
