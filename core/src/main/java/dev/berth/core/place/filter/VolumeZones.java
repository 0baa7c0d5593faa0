package dev.berth.core.place.filter;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.storage.PersistentVolume;
import java.util.List;
import java.util.Map;

/// Filter VolumeZone: zone and region labels of volumes, as legacy provisioners set them.
final class VolumeZones {

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";

    /// Deprecated label keys and their replacements.
    private static final Map<String, String> FORMER =
            Map.of(
                    "failure-domain.beta.kubernetes.io/zone", ZONE,
                    "failure-domain.beta.kubernetes.io/region", REGION);

    private static final List<String> KEYS =
            List.of(
                    ZONE,
                    REGION,
                    "failure-domain.beta.kubernetes.io/zone",
                    "failure-domain.beta.kubernetes.io/region");

    private VolumeZones() {}

    /// True when the node is in the zones of the volume, and for nodes without zone labels.
    static boolean match(PersistentVolume volume, Node node) {
        if (KEYS.stream().noneMatch(node.labels()::containsKey)) {
            return true;
        }
        for (var key : KEYS) {
            var zones = volume.metadata().labels().get(key);
            // Several zones are joined by two underscores.
            if (zones != null && !List.of(zones.split("__")).contains(zone(node, key))) {
                return false;
            }
        }
        return true;
    }

    private static String zone(Node node, String key) {
        var labels = node.labels();
        var current = labels.getOrDefault(FORMER.getOrDefault(key, key), "");
        return labels.getOrDefault(key, current);
    }
}
