package dev.berth.model.api.pod;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// Hard limits and usage of a namespace.
public record ResourceQuota(
        ObjectMeta metadata,
        Map<String, Quantity> hard,
        Map<String, Quantity> enforced,
        Map<String, Quantity> used)
        implements KubernetesObject {

    public ResourceQuota {
        hard = OrderedMap.copyOf(hard);
        enforced = OrderedMap.copyOf(enforced);
        used = OrderedMap.copyOf(used);
    }
}
