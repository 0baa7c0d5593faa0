package dev.berth.server.registry;

import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.json.JsonObject;
import dev.berth.server.store.Entry;

/// Label and field selector of a list, watch or deletecollection request.
public record ObjectSelection(Resource resource, LabelSelector labels, FieldSelector fields) {

    /// Parses the two selectors of a request.
    public static ObjectSelection parse(Resource resource, String labels, String fields) {
        return new ObjectSelection(
                resource, LabelSelectorParser.parse(labels), FieldSelector.parse(resource, fields));
    }

    public boolean isEverything() {
        return labels.isEverything() && fields.isEverything();
    }

    public boolean matches(Entry entry) {
        return isEverything() || matches(StoredObjects.tree(entry));
    }

    public boolean matches(JsonObject object) {
        return labels.matches(Metadata.of(object).objectOrEmpty("labels"))
                && fields.matches(resource, object);
    }
}
