package dev.berth.model.api.pod;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Hard limits and usage of a namespace.
///
/// @param scopes scopes of the pods that the quota counts; empty for all objects
/// @param scopeSelector the same, as JSON
public record ResourceQuota(
        ObjectMeta metadata,
        Map<String, Quantity> hard,
        Map<String, Quantity> enforced,
        Map<String, Quantity> used,
        List<String> scopes,
        Optional<JsonObject> scopeSelector)
        implements KubernetesObject {

    public ResourceQuota {
        hard = OrderedMap.copyOf(hard);
        enforced = OrderedMap.copyOf(enforced);
        used = OrderedMap.copyOf(used);
        scopes = List.copyOf(scopes);
    }

    /// Whether the quota counts only some pods of its namespace.
    public boolean isScoped() {
        return !scopes.isEmpty() || scopeSelector.isPresent();
    }
}
