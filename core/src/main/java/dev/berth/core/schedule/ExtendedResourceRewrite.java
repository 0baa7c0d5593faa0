package dev.berth.core.schedule;

import dev.berth.model.api.Container;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodSpec;
import dev.berth.model.api.ResourceRequirements;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Removes extended resources from a pod's requests, for nodes where devices serve them.
final class ExtendedResourceRewrite {

    private ExtendedResourceRewrite() {}

    static Pod without(Pod pod, Set<String> resources) {
        var spec = pod.spec();
        var rest =
                new PodSpec(
                        spec.nodeName(),
                        spec.schedulerName(),
                        spec.resourceClaims(),
                        without(spec.initContainers(), resources),
                        without(spec.containers(), resources),
                        spec.resources().flatMap(all -> Optional.of(without(all, resources))),
                        spec.overhead(),
                        spec.nodeSelector(),
                        spec.affinity(),
                        spec.tolerations(),
                        spec.topologySpreadConstraints(),
                        spec.schedulingGates(),
                        spec.priority(),
                        spec.preemptionPolicy(),
                        spec.podGroupName(),
                        spec.hostNetwork(),
                        spec.volumes());
        return new Pod(pod.metadata(), rest, pod.status());
    }

    private static List<Container> without(List<Container> containers, Set<String> resources) {
        return containers.stream()
                .map(one ->
                        new Container(
                                one.name(),
                                one.image(),
                                without(one.resources(), resources),
                                one.restartPolicy(),
                                one.ports()))
                .toList();
    }

    private static ResourceRequirements without(ResourceRequirements all, Set<String> resources) {
        return new ResourceRequirements(
                rest(all.requests(), resources), rest(all.limits(), resources), all.claims());
    }

    private static Map<String, Quantity> rest(
            Map<String, Quantity> amounts, Set<String> resources) {
        var rest = new TreeMap<>(amounts);
        rest.keySet().removeAll(resources);
        return rest;
    }
}
