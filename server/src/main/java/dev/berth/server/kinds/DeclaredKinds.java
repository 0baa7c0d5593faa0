package dev.berth.server.kinds;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.schema.ServedKind;
import dev.berth.schema.ServedKind.Flag;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.FieldChecks;
import dev.berth.server.kinds.check.FieldDefaults;
import dev.berth.server.kinds.check.FieldFormats;
import dev.berth.server.kinds.column.CellTemplate;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.TableColumn;
import java.util.ArrayList;
import java.util.List;

/// The resources that are served by their schema: names, columns, defaults and constraints.
/// [DeclaredRules] adds the few rules that the schema language cannot express.
final class DeclaredKinds {

    private static final Schemas SCHEMAS = Schemas.builtIn();

    private DeclaredKinds() {}

    static List<Resource> all() {
        return SCHEMAS.served().stream().map(DeclaredKinds::resource).toList();
    }

    private static Resource resource(ServedKind kind) {
        var resource =
                Resource.of(kind.group(), kind.kind(), DeclaredRules.added(kind, strategy(kind)))
                        .plural(kind.plural())
                        .versions(kind.versions())
                        .shortNames(kind.shortNames().toArray(String[]::new))
                        .categories(kind.categories().toArray(String[]::new))
                        .selectable(CoreKinds.fields(kind.selectable().toArray(String[]::new)))
                        .columns(columns(kind));
        if (!kind.verbs().isEmpty()) {
            resource.verbs(kind.verbs());
        }
        if (kind.is(Flag.NAMESPACED)) {
            resource.namespaced();
        }
        if (kind.is(Flag.STATUS)) {
            resource.withStatus();
        }
        if (!kind.is(Flag.RETURNS_OBJECT)) {
            resource.deleteReturnsStatus();
        }
        if (!kind.is(Flag.UNCONDITIONAL)) {
            resource.updateNeedsRevision();
        }
        return DeclaredRules.changed(kind, resource).build();
    }

    private static ComposedStrategy strategy(ServedKind kind) {
        var struct = kind.struct();
        var strategy =
                kind.is(Flag.NAMESPACED)
                        ? ComposedStrategy.namespaced()
                        : ComposedStrategy.cluster();
        strategy.named(name -> FieldFormats.messages(kind.nameFormat(), name))
                .defaults(object -> FieldDefaults.filled(struct, object))
                .checks((object, checks) -> FieldChecks.check(struct, object, checks))
                .checksUpdate((old, object, checks) ->
                        FieldChecks.checkUpdate(struct, old, object, checks));
        if (kind.is(Flag.STATUS)) {
            strategy.withStatus(firstStatus(kind));
            strategy.checksStatus(
                    (_, object, checks) -> FieldChecks.checkStatus(struct, object, checks));
        }
        if (kind.is(Flag.GENERATION)) {
            strategy.countingGenerations();
        }
        if (!kind.storedOnly().isEmpty()) {
            strategy.warning(kind.storedOnly());
        }
        return strategy;
    }

    private static JsonObject firstStatus(ServedKind kind) {
        var status = kind.struct().fields().named("status");
        return status != null
                        && status.initial().orElse(JsonObject.EMPTY) instanceof JsonObject first
                ? first
                : JsonObject.EMPTY;
    }

    private static List<TableColumn> columns(ServedKind kind) {
        if (kind.columns().isEmpty()) {
            return Columns.nameAndCreation();
        }
        var columns = new ArrayList<TableColumn>();
        columns.add(
                new TableColumn(
                        "Name",
                        "string",
                        "name",
                        "Name",
                        0,
                        CellTemplate.parse(kind.nameCell()).cell("string")));
        for (var one : kind.columns()) {
            columns.add(
                    new TableColumn(
                            one.name(),
                            one.type(),
                            "",
                            one.description(),
                            one.wide() ? 1 : 0,
                            CellTemplate.parse(one.cell()).cell(one.type())));
        }
        return columns;
    }
}
