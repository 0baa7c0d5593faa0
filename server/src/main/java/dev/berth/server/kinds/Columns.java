package dev.berth.server.kinds;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The columns of a table, in order, and the ways to fill them that many kinds share.
final class Columns {

    static final String NONE = "<none>";
    static final String UNSET = "<unset>";

    private final List<TableColumn> columns = new ArrayList<>();

    private Columns() {}

    /// Starts with the name.
    static Columns named() {
        return named(object -> object.objectOrEmpty("metadata").text("name"));
    }

    static Columns named(Function<JsonObject, String> cell) {
        return new Columns()
                .add("Name", "string", "name", "The name", 0, (o, _) -> Json.of(cell.apply(o)));
    }

    static Columns unnamed() {
        return new Columns();
    }

    /// The columns of kinds that have none of their own.
    static List<TableColumn> nameAndCreation() {
        return named().add(
                        "Created At",
                        "date",
                        "",
                        "When it was created",
                        0,
                        (o, _) -> Json.of(o.objectOrEmpty("metadata").text("creationTimestamp")))
                .list();
    }

    static List<TableColumn> nameAndAge() {
        return named().age().list();
    }

    Columns text(String name, String description, Function<JsonObject, String> cell) {
        return add(name, "string", "", description, 0, (o, _) -> Json.of(cell.apply(o)));
    }

    Columns number(String name, String description, ToLongFunction<JsonObject> cell) {
        return add(name, "integer", "", description, 0, (o, _) -> Json.of(cell.applyAsLong(o)));
    }

    Columns flag(String name, String description, Function<JsonObject, Boolean> cell) {
        return add(name, "boolean", "", description, 0, (o, _) -> Json.of(cell.apply(o)));
    }

    /// A text that is shown in wide tables only.
    Columns wide(String name, String description, Function<JsonObject, String> cell) {
        return add(name, "string", "", description, 1, (o, _) -> Json.of(cell.apply(o)));
    }

    Columns timed(String name, String description, TableColumn.Cell cell) {
        return add(name, "string", "", description, 0, cell);
    }

    Columns age() {
        return timed("Age", "How long ago it was created", age("metadata", "creationTimestamp"));
    }

    /// How long ago the time in a field was.
    static TableColumn.Cell age(String... path) {
        return (object, now) -> Json.of(HumanDuration.since(at(object, path), now));
    }

    Columns add(
            String name,
            String type,
            String format,
            String description,
            int priority,
            TableColumn.Cell cell) {
        columns.add(new TableColumn(name, type, format, description, priority, cell));
        return this;
    }

    List<TableColumn> list() {
        return List.copyOf(columns);
    }

    /// The text in a field; empty when there is none.
    static String at(JsonObject object, String... path) {
        return parent(object, path).text(path[path.length - 1]);
    }

    static long numberAt(JsonObject object, String... path) {
        return parent(object, path).number(path[path.length - 1]).orElse(0);
    }

    private static JsonObject parent(JsonObject object, String... path) {
        var holder = object;
        for (var i = 0; i < path.length - 1; i++) {
            holder = holder.objectOrEmpty(path[i]);
        }
        return holder;
    }

    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    static String joined(List<String> texts) {
        return texts.isEmpty() ? NONE : String.join(",", texts);
    }

    /// The columns for containers, images and selector of something that makes pods.
    Columns template(Function<JsonObject, JsonObject> podSpec) {
        return wide(
                        "Containers",
                        "The names of the containers",
                        o -> listed(podSpec.apply(o), "name"))
                .wide(
                        "Images",
                        "The images of the containers",
                        o -> listed(podSpec.apply(o), "image"));
    }

    private static String listed(JsonObject podSpec, String name) {
        return String.join(
                ",", podSpec.objects("containers").stream().map(c -> c.text(name)).toList());
    }

    Columns selector() {
        return wide(
                "Selector",
                "Which pods belong to it",
                o -> SelectorChecks.text(o.objectOrEmpty("spec").object("selector")));
    }
}
