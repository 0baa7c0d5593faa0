package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.server.store.Entry;

/// Which objects of a kind somebody wants to see.
public record Selection(Resource resource, LabelSelector labels, FieldSelector fields) {

    /// Reads the two selectors of a request.
    public static Selection parse(Resource resource, String labels, String fields) {
        return new Selection(
                resource, LabelSelector.parse(labels), FieldSelector.parse(resource, fields));
    }

    public boolean isEverything() {
        return labels.isEverything() && fields.isEverything();
    }

    public boolean matches(Entry entry) {
        return isEverything() || matches(Objects.tree(entry));
    }

    public boolean matches(JsonObject object) {
        return labels.matches(Metadata.of(object).objectOrEmpty("labels"))
                && fields.matches(resource, object);
    }
}
