package dev.berth.dashboard.fleet;

import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.json.Json;
import java.util.List;

/// JSON arrays of texts and numbers.
final class JsonLists {

    private JsonLists() {}

    static Json texts(List<String> texts) {
        return Json.array(texts.stream().map(Json::of).toList());
    }

    static Json numbers(List<Long> numbers) {
        return Json.array(numbers.stream().map(Json::of).toList());
    }

    static Json integers(List<Integer> numbers) {
        return Json.array(numbers.stream().map(Json::of).toList());
    }

    static Json decimal(double value) {
        return UtilisationJson.decimal(value);
    }
}
