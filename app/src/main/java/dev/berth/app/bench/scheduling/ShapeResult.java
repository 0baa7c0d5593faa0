package dev.berth.app.bench.scheduling;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// What is told of one shape.
sealed interface ShapeResult permits ShapeMeasurement, ShapeResult.Failed {

    /// It could not be measured.
    ///
    /// @param why for people
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
