package dev.berth.app.bench.scheduling;

import dev.berth.control.Controller;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.util.EnumSet;

/// The cluster that is measured in this process: API server with a durable store, controllers and
/// scheduler. There are no kubelets, so the node lifecycle controller is left out.
final class BenchCluster {

    private BenchCluster() {}

    static EmbeddedBerth start(Path directory, FeatureGates gates, SchedulerOptions scheduler) {
        var durable = EmbeddedOptions.in(directory);
        return EmbeddedBerth.start(
                durable.withServer(durable.server().withGates(gates))
                        .withScheduler(scheduler)
                        .withControllers(EnumSet.complementOf(EnumSet.of(Controller.NODES))));
    }
}
