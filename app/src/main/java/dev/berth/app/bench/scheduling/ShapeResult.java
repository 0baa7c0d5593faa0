package dev.berth.app.bench.scheduling;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// The result of one shape: figures, or a failure.
sealed interface ShapeResult permits ShapeMeasurement, ShapeResult.Failed {

    /// A shape that could not be measured.
    ///
    /// @param why reason, for the report
    record Failed(WorkloadShape shape, int nodes, String why) implements ShapeResult {

        @Override
        public JsonObject toJson() {
            return JsonObject.of("shape", Json.of(shape.name()))
                    .with("nodes", Json.of(nodes))
                    .with("error", Json.of(why));
        }
    }

    JsonObject toJson();
}
