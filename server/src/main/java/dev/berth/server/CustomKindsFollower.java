package dev.berth.server;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.server.kinds.custom.CustomKinds;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.schema.CrdSchemas;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches CustomResourceDefinitions and serves the kinds that they define.
final class CustomKindsFollower {

    private static final Logger LOG = LoggerFactory.getLogger(CustomKindsFollower.class);

    static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";

    private final Registry registry;
    private final CustomKinds kinds;
    private final ServedSchemas fields;
    private final CrdSchemas crdSchemas;

    CustomKindsFollower(Registry registry, CustomSchemas schemas, ServedSchemas fields) {
        this.registry = registry;
        this.kinds = new CustomKinds(schemas);
        this.fields = fields;
        this.crdSchemas = new CrdSchemas(Schemas.builtIn());
    }

    /// Serves all stored definitions. Earlier versions served definitions of built-in groups: these
    /// get the status of a rejected definition.
    void loadAll() {
        for (var definition : registry.objects().list(DEFINITIONS, "")) {
            if (CustomKinds.isBuiltIn(definition)) {
                reject(definition.objectOrEmpty("metadata").text("name"));
            } else {
                serve(definition);
            }
        }
    }

    private void reject(String name) {
        LOG.warn(
                "CustomResourceDefinition {} is not served: its group is built in. Objects that"
                        + " were written while it was served have not been validated; review them"
                        + " and delete the definition",
                name);
        var definitions = registry.resources().byCollection(DEFINITIONS).orElseThrow();
        var now = registry.clock().instant();
        registry.change(
                definitions,
                new ObjectKey(DEFINITIONS, "", name),
                definition -> CustomKinds.withStatus(definition, now));
    }

    void on(Change change) {
        var definition = StoredObjects.tree(change.entry());
        if (change.type() == Change.Type.DELETED) {
            remove(definition);
        } else {
            serve(definition);
        }
    }

    private void serve(JsonObject definition) {
        kinds.resource(definition)
                .ifPresent(resource -> {
                    for (var version : definition.objectOrEmpty("spec").objects("versions")) {
                        var schema =
                                version.objectOrEmpty("schema").objectOrEmpty("openAPIV3Schema");
                        var name = version.text("name");
                        fields.put(
                                resource,
                                name,
                                crdSchemas.shape(resource.group(), name, resource.kind(), schema),
                                schema);
                    }
                    registry.resources().put(resource);
                });
    }

    /// Deletes the objects of the kind as well: without its definition they cannot be served.
    private void remove(JsonObject definition) {
        var spec = definition.objectOrEmpty("spec");
        var collection = spec.text("group") + "/" + spec.objectOrEmpty("names").text("plural");
        registry.resources()
                .byCollection(collection)
                .filter(Resource::isCustom)
                .ifPresent(this::deleteAll);
        registry.resources().remove(collection);
    }

    private void deleteAll(Resource resource) {
        if (registry.store().list(CollectionScope.all(resource.collection()), 0, "", 0)
                instanceof ListResult.Page page) {
            page.entries()
                    .forEach(entry -> registry.delete(resource, entry.key(), DeleteOptions.NONE));
        }
    }
}
