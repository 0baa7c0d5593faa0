package dev.berth.app.bench.scheduling;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// What is told of one shape.
sealed interface Result permits Measured, Result.Failed {

    /// It could not be measured.
    ///
    /// @param why for people
    record Failed(Shape shape, int nodes, String why) implements Result {

        @Override
        public JsonObject toJson() {
            return JsonObject.of("shape", Json.of(shape.name()))
                    .with("nodes", Json.of(nodes))
                    .with("error", Json.of(why));
        }
    }

    JsonObject toJson();
}
