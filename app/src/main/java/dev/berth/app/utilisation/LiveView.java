package dev.berth.app.utilisation;

import dev.berth.app.cluster.ClusterFiles;
import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.cluster.ReplicaCount;
import dev.berth.app.print.LiveScreen;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TerminalWriter;
import dev.berth.core.admission.gate.FeatureGates;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine;

/// Prints a picture of a cluster once, or shows it on the terminal and refreshes it until Ctrl-C.
public final class LiveView {

    private static final int BAD_INPUT = 2;

    private LiveView() {}

    /// Runs a command and returns its exit code.
    ///
    /// @param intervalSeconds time between refreshes; empty to print once
    /// @param picture lines for a cluster
    public static int run(
            CommandLine command,
            ClusterSource source,
            OptionalInt intervalSeconds,
            Function<ObservedCluster, List<String>> picture)
            throws InterruptedException {
        try (var reader = source.open(command)) {
            var first = reader.read(FeatureGates.all());
            if (!first.problems().isEmpty()) {
                first.problems().forEach(text -> command.getErr().println("berth: " + text));
                return BAD_INPUT;
            }
            var lines = picture.apply(observed(first));
            if (intervalSeconds.isEmpty() || !source.readsCluster()) {
                var text = String.join("\n", lines);
                TerminalWriter.printStyled(command.getOut(), text.isEmpty() ? "" : text + "\n");
                command.getOut().flush();
                return 0;
            }
            refresh(command.getOut(), reader, intervalSeconds.getAsInt(), lines, picture);
            return 0;
        }
    }

    private static ObservedCluster observed(ClusterFiles cluster) {
        return ObservedCluster.of(cluster.scenario(new ReplicaCount.AsWritten()));
    }

    /// Ends when the thread is interrupted. Ctrl-C ends the process, which restores the screen
    /// first.
    private static void refresh(
            PrintWriter out,
            ClusterSource.Reader reader,
            int intervalSeconds,
            List<String> first,
            Function<ObservedCluster, List<String>> picture)
            throws InterruptedException {
        try (var screen = new LiveScreen(out, Terminal.height())) {
            var restore = new Thread(screen::close);
            Runtime.getRuntime().addShutdownHook(restore);
            var lines = first;
            while (true) {
                screen.show(lines);
                TimeUnit.SECONDS.sleep(intervalSeconds);
                var next = reader.read(FeatureGates.all());
                // A server that does not respond for a while is no reason to end.
                lines =
                        next.problems().isEmpty()
                                ? picture.apply(observed(next))
                                : withProblem(next.problems().getFirst(), lines);
            }
        }
    }

    private static List<String> withProblem(String problem, List<String> lines) {
        var all = new ArrayList<String>();
        all.add(TerminalText.escapeLine("not refreshed: " + problem));
        lines.stream().skip(1).forEach(all::add);
        return all;
    }
}
