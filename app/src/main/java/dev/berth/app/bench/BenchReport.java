package dev.berth.app.bench;

import dev.berth.app.print.TextTable;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Figures with names and units, in the order of measurement.
final class BenchReport {

    /// One figure.
    ///
    /// @param target the target as text; empty when there is none
    record Figure(String name, double value, String unit, String target) {}

    private final List<Figure> figures = new ArrayList<>();

    void add(String name, double value, String unit, String target) {
        figures.add(new Figure(name, value, unit, target));
    }

    String toTable() {
        var table = new TextTable("WHAT", "MEASURED", "UNIT", "TARGET");
        for (var figure : figures) {
            table.add(figure.name, text(figure.value), figure.unit, figure.target);
        }
        return table.toString();
    }

    JsonObject toJson() {
        var items = new ArrayList<Json>();
        for (var figure : figures) {
            items.add(
                    JsonObject.of("name", Json.of(figure.name))
                            .with("value", new JsonNumber(text(figure.value).replace(",", "")))
                            .with("unit", Json.of(figure.unit))
                            .with("target", Json.of(figure.target)));
        }
        return JsonObject.of("figures", Json.array(items));
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
    }
}
