package dev.berth.node.oci;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// JSON of common parts of records and configurations.
final class RecordJson {

    private RecordJson() {}

    static Json of(Optional<ProcessIdentity> process) {
        return process.<Json>map(one ->
                        JsonObject.of("pid", Json.of(one.pid()))
                                .with("startTicks", Json.of(one.startTicks())))
                .orElse(Json.JsonNull.INSTANCE);
    }

    static Optional<ProcessIdentity> process(JsonObject tree, String name) {
        return tree.object(name)
                .map(one ->
                        new ProcessIdentity(
                                one.number("pid").orElse(0), one.number("startTicks").orElse(0)));
    }

    static Json texts(List<String> texts) {
        return Json.array(texts.stream().map(Json::of).toList());
    }
}
