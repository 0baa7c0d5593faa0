package dev.berth.app.lifecycle;

import dev.berth.app.print.Progress;
import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.ClusterRegistry;
import dev.berth.app.running.DataDirectoryOption;
import dev.berth.app.running.KubeconfigContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth down`: stops a cluster of berth up.
@Command(
        name = "down",
        description = {
            "Stop a cluster of berth up.",
            "",
            "This works for clusters in the foreground, too. The context of the cluster is removed"
                    + " from the kubeconfig of the user. The data stays for the next start, unless"
                    + " --delete-data is given."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:no cluster runs in the data directory any more",
            "1:the cluster did not stop, or its data could not be deleted",
            "2:usage error"
        },
        footer = {
            "Examples:",
            "  berth down",
            "  berth down --data-dir /tmp/cluster --delete-data"
        })
public final class DownCommand implements Callable<Integer> {

    private static final int POLL_MILLIS = 50;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private DataDirectoryOption directory = new DataDirectoryOption();

    @Option(
            names = "--timeout",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "How long to wait until the process has ended.")
    private int timeoutSeconds = 60;

    @Option(
            names = "--delete-data",
            description =
                    "Delete the data directory with all objects, certificates and keys. There is no"
                            + " question, and no way back.")
    private boolean deletesData;

    @Override
    public Integer call() throws InterruptedException, IOException {
        var out = spec.commandLine().getOut();
        var place = directory.path().toAbsolutePath().normalize();
        var running = ClusterRecord.running(place);
        if (running.isPresent()) {
            stop(running.get());
            out.println("Stopped the cluster in " + place);
        } else {
            // A killed process leaves its record.
            ClusterRecord.read(place).ifPresent(ClusterRecord::delete);
            out.println("No cluster runs in " + place);
            hintAtOthers(out);
        }
        ClusterRegistry.ofUser().remove(place);
        KubeconfigContext.remove(place)
                .ifPresent(name -> out.println("Removed the kubeconfig context " + name));
        if (deletesData && DataDeletion.delete(place)) {
            out.println("Deleted " + place);
        }
        out.flush();
        return 0;
    }

    /// Stops the process of a record after comparing pid and start time.
    private void stop(ClusterRecord cluster) throws InterruptedException {
        if (cluster.pid() == ProcessHandle.current().pid()) {
            throw new IllegalStateException("the cluster runs in this process");
        }
        var progress = new Progress(spec.commandLine().getErr());
        ProcessHandle.of(cluster.pid())
                .filter(_ -> cluster.isRunning())
                .ifPresent(ProcessHandle::destroy);
        var end = System.nanoTime() + timeoutSeconds * 1_000_000_000L;
        while (cluster.isRunning()) {
            progress.show("waiting until process %d has ended".formatted(cluster.pid()));
            if (System.nanoTime() > end) {
                progress.clear();
                throw new IllegalStateException(
                        ("process %d of the cluster in %s has not ended after %d s; wait longer"
                                        + " with --timeout, or end it with `kill -9 %d`")
                                .formatted(
                                        cluster.pid(),
                                        cluster.directory(),
                                        timeoutSeconds,
                                        cluster.pid()));
            }
            Thread.sleep(POLL_MILLIS);
        }
        progress.clear();
        cluster.delete();
    }

    private void hintAtOthers(PrintWriter out) {
        if (directory.isDefault()) {
            ClusterRegistry.ofUser()
                    .running()
                    .forEach(other ->
                            out.println(
                                    "Another cluster runs; `berth down --data-dir %s` stops it."
                                            .formatted(other.directory())));
        }
    }
}
