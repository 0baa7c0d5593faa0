package dev.berth.server.lifecycle;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Resources;
import java.util.List;
import java.util.Optional;

/// Parses the `ownerReferences` of objects.
final class OwnerReferences {

    static final String FIELD = "ownerReferences";

    /// One reference.
    record Reference(String group, String kind, String name, String uid, boolean blocksDeletion) {

        static Reference of(JsonObject json) {
            var apiVersion = json.text("apiVersion");
            var slash = apiVersion.indexOf('/');
            return new Reference(
                    slash < 0 ? "" : apiVersion.substring(0, slash),
                    json.text("kind"),
                    json.text("name"),
                    json.text("uid"),
                    json.flag("blockOwnerDeletion").orElse(false));
        }

        Optional<Resource> resource(Resources resources) {
            return resources.byKind(group, kind);
        }
    }

    private OwnerReferences() {}

    static List<Reference> of(JsonObject object) {
        return object.objectOrEmpty("metadata").objects(FIELD).stream().map(Reference::of).toList();
    }
}
