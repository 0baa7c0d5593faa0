package dev.berth.app.bench.scheduling;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// The figures of one shape.
///
/// @param effort of a cluster in this process
/// @param processes of a remote cluster
record ShapeMeasurement(
        WorkloadShape shape,
        int nodes,
        BindingRates rates,
        Optional<Effort> effort,
        ProcessEffort processes)
        implements ShapeResult {

    /// CPU per pod of the processes of a remote cluster, in milliseconds, where it can be read.
    ///
    /// @param server CPU of the API server's process, with everything that runs in it
    record ProcessEffort(OptionalDouble scheduler, OptionalDouble server) {
        static final ProcessEffort UNKNOWN =
                new ProcessEffort(OptionalDouble.empty(), OptionalDouble.empty());
    }

    /// CPU and decision times of a cluster in this process.
    ///
    /// @param processMillis CPU per pod of the whole process: server, controllers, scheduler, load
    /// @param compilerMillis part of it that the JIT compilers took
    /// @param schedulerMillis CPU per pod of the scheduler thread
    /// @param median decision time in milliseconds
    /// @param slow 99th percentile of decision times
    record Effort(
            double processMillis,
            double compilerMillis,
            double schedulerMillis,
            double median,
            double slow) {}

    @Override
    public JsonObject toJson() {
        var figures =
                JsonObject.of("shape", Json.of(shape.name()))
                        .with("nodes", Json.of(nodes))
                        .with("pods", Json.of(rates.pods()))
                        .with("seconds", number(rates.seconds()))
                        .with("podsPerSecond", json(rates));
        if (effort.isPresent()) {
            var took = effort.get();
            figures =
                    figures.with("cpuMillisPerPod", number(took.processMillis))
                            .with("compilerCpuMillisPerPod", number(took.compilerMillis))
                            .with("schedulerCpuMillisPerPod", number(took.schedulerMillis))
                            .with(
                                    "decisionMillis",
                                    JsonObject.of("p50", number(took.median))
                                            .with("p99", number(took.slow)));
        }
        if (processes.scheduler.isPresent()) {
            figures =
                    figures.with(
                            "schedulerCpuMillisPerPod", number(processes.scheduler.getAsDouble()));
        }
        if (processes.server.isPresent()) {
            figures =
                    figures.with(
                            "apiServerCpuMillisPerPod", number(processes.server.getAsDouble()));
        }
        return figures;
    }

    private static JsonObject json(BindingRates rates) {
        var figures = JsonObject.of("average", number(rates.average()));
        if (rates.spread().isPresent()) {
            var spread = rates.spread().get();
            figures =
                    figures.with("p50", number(spread.median())).with("p99", number(spread.slow()));
        }
        return figures.with(
                "seconds", Json.array(rates.bySecond().stream().map(Json::of).toList()));
    }

    private static JsonNumber number(double value) {
        return new JsonNumber(String.format(Locale.ROOT, "%.3f", value));
    }
}
