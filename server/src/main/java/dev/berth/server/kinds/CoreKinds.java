package dev.berth.server.kinds;

import static dev.berth.server.kinds.column.Columns.at;

import dev.berth.core.admission.Admission;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.kinds.column.CoreColumns;
import dev.berth.server.kinds.column.GroupColumns;
import dev.berth.server.kinds.column.PodColumns;
import dev.berth.server.kinds.pod.GracefulDeletion;
import dev.berth.server.kinds.pod.LimitRanges;
import dev.berth.server.kinds.pod.PodStrategy;
import dev.berth.server.kinds.pod.PodSubresources;
import dev.berth.server.registry.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/// The resources of the core group.
final class CoreKinds {

    /// All but `deletecollection`.
    private static final List<String> NAMESPACE_VERBS =
            List.of("create", "delete", "get", "list", "patch", "update", "watch");

    private CoreKinds() {}

    static List<Resource> all(Admission admission, KindOptions options) {
        return Stream.of(
                        podsAndNodes(admission),
                        configurationKinds(options.tokens()),
                        networkKinds())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Resource> podsAndNodes(Admission admission) {
        return List.of(
                Resource.of("", "Namespace", CoreRules.namespaces())
                        .withStatus()
                        .shortNames("ns")
                        .columns(CoreColumns.namespaces())
                        .selectable(fields("status.phase"))
                        .subresources(WorkloadSubresources.finalizeNamespace())
                        .deletion(GracefulDeletion.NAMESPACE)
                        .verbs(NAMESPACE_VERBS)
                        .build(),
                Resource.of("", "Node", NodeRules.nodes())
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("no")
                        .columns(CoreColumns.nodes())
                        .selectable(flags("spec.unschedulable"))
                        .build(),
                Resource.of("", "Pod", new PodStrategy(admission))
                        .namespaced()
                        .withStatus()
                        .shortNames("po")
                        .categories("all")
                        .columns(PodColumns.all())
                        .selectable(podFields())
                        .subresources(PodSubresources.all())
                        .deletion(GracefulDeletion.POD)
                        .build(),
                Resource.of("", "Event", EventRules.strategy())
                        .namespaced()
                        .deleteReturnsStatus()
                        .shortNames("ev")
                        .columns(CoreColumns.events())
                        .selectable(EventRules.selectable())
                        .build());
    }

    private static List<Resource> configurationKinds(TokenSigner tokens) {
        return List.of(
                Resource.of("", "ConfigMap", ConfigRules.configMaps())
                        .namespaced()
                        .deleteReturnsStatus()
                        .shortNames("cm")
                        .columns(CoreColumns.configMaps())
                        .build(),
                Resource.of("", "Secret", ConfigRules.secrets())
                        .namespaced()
                        .deleteReturnsStatus()
                        .columns(CoreColumns.secrets())
                        .selectable(fields("type"))
                        .build(),
                Resource.of("", "ServiceAccount", CoreRules.serviceAccounts())
                        .namespaced()
                        .shortNames("sa")
                        .columns(CoreColumns.serviceAccounts())
                        .subresources(WorkloadSubresources.token(tokens))
                        .build(),
                Resource.of("", "ResourceQuota", CoreRules.quotas())
                        .namespaced()
                        .withStatus()
                        .shortNames("quota")
                        .columns(CoreColumns.quotas())
                        .build(),
                Resource.of("", "LimitRange", LimitRanges.strategy())
                        .namespaced()
                        .deleteReturnsStatus()
                        .shortNames("limits")
                        .columns(Columns.nameAndCreation())
                        .build());
    }

    private static List<Resource> networkKinds() {
        return List.of(
                Resource.of("", "PersistentVolume", StorageRules.volumes())
                        .withStatus()
                        .shortNames("pv")
                        .columns(GroupColumns.persistentVolumes())
                        .build(),
                Resource.of("", "PersistentVolumeClaim", StorageRules.claims())
                        .namespaced()
                        .withStatus()
                        .shortNames("pvc")
                        .columns(GroupColumns.persistentVolumeClaims())
                        .build(),
                Resource.of("", "Service", ServiceRules.strategy())
                        .namespaced()
                        .withStatus()
                        .shortNames("svc")
                        .categories("all")
                        .columns(CoreColumns.services())
                        .selectable(fields("spec.clusterIP", "spec.type"))
                        .build(),
                Resource.of("", "Endpoints", CoreRules.endpoints())
                        .plural("endpoints")
                        .namespaced()
                        .deleteReturnsStatus()
                        .shortNames("ep")
                        .columns(CoreColumns.endpoints())
                        .build());
    }

    private static Map<String, Function<JsonObject, String>> podFields() {
        var all =
                new LinkedHashMap<>(
                        fields(
                                "spec.nodeName",
                                "spec.restartPolicy",
                                "spec.schedulerName",
                                "spec.serviceAccountName",
                                "status.phase",
                                "status.podIP",
                                "status.nominatedNodeName"));
        all.putAll(flags("spec.hostNetwork"));
        return all;
    }

    /// String fields for field selectors, such as `spec.nodeName`.
    static Map<String, Function<JsonObject, String>> fields(String... names) {
        var all = new LinkedHashMap<String, Function<JsonObject, String>>();
        for (var name : names) {
            var path = name.split("\\.", -1);
            all.put(name, object -> at(object, path));
        }
        return all;
    }

    static Map<String, Function<JsonObject, String>> numbers(String... names) {
        var all = new LinkedHashMap<String, Function<JsonObject, String>>();
        for (var name : names) {
            var path = name.split("\\.", -1);
            all.put(name, object -> Long.toString(Columns.numberAt(object, path)));
        }
        return all;
    }

    /// Boolean fields of the spec, which are `false` if absent.
    private static Map<String, Function<JsonObject, String>> flags(String name) {
        var flag = name.substring(name.indexOf('.') + 1);
        return Map.of(
                name, object -> object.objectOrEmpty("spec").flag(flag).orElse(false).toString());
    }
}
