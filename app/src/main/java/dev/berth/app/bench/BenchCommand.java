package dev.berth.app.bench;

import dev.berth.app.bench.placement.PlacementBenchCommand;
import dev.berth.app.bench.scheduling.SchedulingBenchCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/// `berth bench`: benchmarks.
@Command(
        name = "bench",
        description =
                "Measure the performance of an API server or a scheduler, or the quality of"
                        + " placements.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ServerBenchCommand.class,
            SchedulingBenchCommand.class,
            PlacementBenchCommand.class
        },
        footer = {
            "Examples:",
            "  berth bench server",
            "  berth bench scheduling",
            "  berth bench placement --trace traces/"
        })
public final class BenchCommand {

    /// Sends the first requests of a client and creates an object, to train the class cache.
    public static void trainClasses(Path kubeconfig) throws IOException {
        try (var connection = BenchConnection.to(BenchTarget.of(kubeconfig))) {
            for (var page : List.of("/readyz", "/api", "/apis", "/api/v1", "/openapi/v3")) {
                connection.expect(200, "GET", page, new byte[0]);
            }
            var claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
            connection.expect(
                    201, "POST", claims, Encoding.JSON.body(BenchObjects.claim("rehearsal")));
            connection.expect(200, "GET", claims, new byte[0]);
        }
    }
}
