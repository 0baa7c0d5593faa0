package dev.berth.app.bench.placement;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/// Figures of one replay. Figures that do not apply are empty.
///
/// @param curve allocated devices in percent, by demand in percent of all devices
/// @param accepted accepted pods in percent
/// @param aligned pods in the fewest possible PCIe roots, in percent
record ReplayResult(
        ArrivalTrace trace,
        String policy,
        List<OptionalDouble> curve,
        long placed,
        OptionalDouble accepted,
        OptionalDouble aligned,
        OptionalDouble cpuSeconds,
        OptionalDouble residentMegabytes) {

    ReplayResult {
        curve = List.copyOf(curve);
    }

    /// Allocated devices in percent at a demand.
    OptionalDouble at(int demand) {
        return demand < curve.size() ? curve.get(demand) : OptionalDouble.empty();
    }

    JsonObject toJson() {
        var tree =
                JsonObject.of("workload", Json.of(trace.workload()))
                        .with("seed", seed())
                        .with("policy", Json.of(policy));
        for (var demand : List.of(100, 110, 120, 130)) {
            tree = tree.with("at" + demand, number(at(demand)));
        }
        return tree.with("placed", Json.of(placed))
                .with("arrived", Json.of((long) trace.arrivals().size()))
                .with("accepted", number(accepted))
                .with("aligned", number(aligned))
                .with("cpuSeconds", number(cpuSeconds))
                .with("residentMb", number(residentMegabytes));
    }

    private Json seed() {
        return trace.seed().matches("[0-9]{1,9}")
                ? Json.of(Long.parseLong(trace.seed()))
                : Json.of(trace.seed());
    }

    private static Json number(OptionalDouble value) {
        return value.isPresent()
                ? new JsonNumber(String.format(Locale.ROOT, "%.2f", value.getAsDouble()))
                : JsonNull.INSTANCE;
    }
}
