package dev.berth.app.up;

import dev.berth.app.print.Progress;
import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.ClusterRecord.Phase;
import dev.berth.app.running.KubeconfigContext;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.file.PrivateFile;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/// `berth up --detach`: starts the same command again in a background process with a session of its
/// own, and waits until the cluster is up or the process has ended.
final class DetachedStart {

    /// Environment variable of the background process.
    static final String VARIABLE = "BERTH_DETACHED";

    /// The log of the background process; the previous one is kept.
    static final String LOG = "up.log";

    private static final String LAUNCHER = "BERTH_LAUNCHER";
    private static final String FIRST_STEP = "starting the API server";
    private static final int LAST_LINES = 20;
    private static final int POLL_MILLIS = 50;

    private final Path directory;
    private final CommandLine command;

    DetachedStart(Path directory, CommandLine command) {
        this.directory = directory.toAbsolutePath().normalize();
        this.command = command;
    }

    static boolean isInBackground() {
        return System.getenv(VARIABLE) != null;
    }

    int run() throws IOException, InterruptedException {
        ClusterProcess.refuseSecond(directory);
        PrivateDirectory.make(directory);
        var process = start(newLog());
        var progress = new Progress(command.getErr());
        var shown = "";
        while (true) {
            // A launcher may start the cluster as a child, so the pid is not compared.
            var cluster = ClusterRecord.running(directory);
            if (cluster.filter(one -> one.phase() != Phase.STARTING).isPresent()) {
                progress.clear();
                var context = KubeconfigContext.of(directory).orElse("");
                StartupMessage.print(cluster.get(), context, true, command.getOut());
                return 0;
            }
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                progress.clear();
                return failed(process.exitValue());
            }
            var now = cluster.map(ClusterRecord::progress).filter(text -> !text.isEmpty());
            if (!now.orElse(FIRST_STEP).equals(shown)) {
                shown = now.orElse(FIRST_STEP);
                progress.show(shown);
            }
        }
    }

    private Path newLog() throws IOException {
        var log = directory.resolve(LOG);
        if (Files.exists(log)) {
            Files.move(log, directory.resolve(LOG + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
        return PrivateFile.create(log);
    }

    private Process start(Path log) throws IOException {
        var arguments = new ArrayList<String>();
        // Without a session of its own the process would get the signals of this terminal.
        setsid().ifPresent(arguments::add);
        arguments.addAll(launcher());
        arguments.addAll(
                command.getCommandSpec().root().commandLine().getParseResult().originalArgs());
        var builder =
                new ProcessBuilder(arguments)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(Redirect.appendTo(log.toFile()))
                        .redirectErrorStream(true);
        builder.environment().put(VARIABLE, "true");
        return builder.start();
    }

    private static Optional<String> setsid() {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (var directory : path.split(File.pathSeparator, -1)) {
            if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, "setsid"))) {
                return Optional.of(Path.of(directory, "setsid").toString());
            }
        }
        return Optional.empty();
    }

    private static List<String> launcher() {
        var launcher = System.getenv(LAUNCHER);
        if (launcher != null) {
            return List.of(launcher);
        }
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.app.Berth");
    }

    private int failed(int exitCode) throws IOException {
        var log = directory.resolve(LOG);
        var err = command.getErr();
        err.println(
                "berth: the cluster did not start (exit code %d); the end of %s:"
                        .formatted(exitCode, log));
        var lines = Files.readAllLines(log);
        lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .forEach(line -> err.println("  " + line));
        return 1;
    }
}
