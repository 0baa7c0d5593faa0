package dev.berth.app.serve;

import dev.berth.app.service.LogOptions;
import dev.berth.server.ApiServer;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth serve`: runs the API server alone.
@Command(
        name = "serve",
        description = {
            "Run the API server alone until interrupted.",
            "",
            "kubectl and other Kubernetes clients use it with the kubeconfig that is printed. It"
                    + " listens on loopback with TLS and requires authentication."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "1:failed to start",
            "2:usage error",
            "130:stopped by Ctrl-C (SIGINT)",
            "143:stopped by SIGTERM"
        },
        footer = {
            "Examples:",
            "  berth serve",
            "  berth serve --data-dir /tmp/cluster --port 0",
            "  berth serve --store etcd --etcd-endpoints 127.0.0.1:2379"
        })
public final class ServeCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ServerOptions options = new ServerOptions();

    @Mixin private LogOptions logs = new LogOptions();

    @Override
    public Integer call() throws InterruptedException {
        logs.apply();
        var out = spec.commandLine().getOut();
        var settings = options.settings(spec.commandLine());
        var stopped = new CountDownLatch(1);
        var server = ApiServer.start(settings);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            server.close();
                            stopped.countDown();
                        }));
        out.println("Serving Kubernetes 1.37 at " + server.uri());
        out.println("Try:  kubectl --kubeconfig " + server.kubeconfig() + " get namespaces");
        out.flush();
        stopped.await();
        return 0;
    }
}
