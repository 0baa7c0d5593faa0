package dev.berth.server.kinds.column;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.registry.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Builder of table columns for `kubectl get`, with columns that many kinds share.
public final class Columns {

    public static final String NONE = "<none>";
    public static final String UNSET = "<unset>";

    private final List<TableColumn> columns = new ArrayList<>();

    private Columns() {}

    /// Starts with the name.
    public static Columns named() {
        return named(object -> object.objectOrEmpty("metadata").text("name"));
    }

    public static Columns named(Function<JsonObject, String> cell) {
        return new Columns()
                .add("Name", "string", "name", "Name", 0, (o, _) -> Json.of(cell.apply(o)));
    }

    static Columns unnamed() {
        return new Columns();
    }

    /// The columns of kinds without columns of their own.
    public static List<TableColumn> nameAndCreation() {
        return named().add(
                        "Created At",
                        "date",
                        "",
                        "Creation time",
                        0,
                        (o, _) -> Json.of(o.objectOrEmpty("metadata").text("creationTimestamp")))
                .list();
    }

    public static List<TableColumn> nameAndAge() {
        return named().age().list();
    }

    public Columns text(String name, String description, Function<JsonObject, String> cell) {
        return add(name, "string", "", description, 0, (o, _) -> Json.of(cell.apply(o)));
    }

    public Columns number(String name, String description, ToLongFunction<JsonObject> cell) {
        return add(name, "integer", "", description, 0, (o, _) -> Json.of(cell.applyAsLong(o)));
    }

    Columns flag(String name, String description, Function<JsonObject, Boolean> cell) {
        return add(name, "boolean", "", description, 0, (o, _) -> Json.of(cell.apply(o)));
    }

    /// A column of wide tables only.
    Columns wide(String name, String description, Function<JsonObject, String> cell) {
        return add(name, "string", "", description, 1, (o, _) -> Json.of(cell.apply(o)));
    }

    Columns timed(String name, String description, TableColumn.Cell cell) {
        return add(name, "string", "", description, 0, cell);
    }

    public Columns age() {
        return timed("Age", "Time since creation", age("metadata", "creationTimestamp"));
    }

    /// Time since the timestamp in a field.
    public static TableColumn.Cell age(String... path) {
        return (object, now) -> Json.of(HumanDuration.since(at(object, path), now));
    }

    public Columns add(
            String name,
            String type,
            String format,
            String description,
            int priority,
            TableColumn.Cell cell) {
        columns.add(new TableColumn(name, type, format, description, priority, cell));
        return this;
    }

    public List<TableColumn> list() {
        return List.copyOf(columns);
    }

    /// The text in a field; empty if it is absent.
    public static String at(JsonObject object, String... path) {
        return parent(object, path).text(path[path.length - 1]);
    }

    public static long numberAt(JsonObject object, String... path) {
        return parent(object, path).number(path[path.length - 1]).orElse(0);
    }

    private static JsonObject parent(JsonObject object, String... path) {
        var holder = object;
        for (var i = 0; i < path.length - 1; i++) {
            holder = holder.objectOrEmpty(path[i]);
        }
        return holder;
    }

    public static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    public static String joined(List<String> texts) {
        return texts.isEmpty() ? NONE : String.join(",", texts);
    }

    /// The columns for containers, images and selector of a workload.
    Columns template(Function<JsonObject, JsonObject> podSpec) {
        return wide("Containers", "Names of the containers", o -> listed(podSpec.apply(o), "name"))
                .wide("Images", "Images of the containers", o -> listed(podSpec.apply(o), "image"));
    }

    private static String listed(JsonObject podSpec, String name) {
        return String.join(
                ",", podSpec.objects("containers").stream().map(c -> c.text(name)).toList());
    }

    Columns selector() {
        return wide(
                "Selector",
                "Label selector of the pods",
                o -> SelectorChecks.text(o.objectOrEmpty("spec").object("selector")));
    }
}
