package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.LABELS;
import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.CollectionTypes.map;
import static dev.berth.model.codec.record.ScalarTypes.BOOL;
import static dev.berth.model.codec.record.ScalarTypes.INT32;
import static dev.berth.model.codec.record.ScalarTypes.INT64;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.RAW_OBJECT;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.ContainerClaim;
import dev.berth.model.api.pod.ContainerPort;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimSource;
import dev.berth.model.api.pod.PodClaimSource.ClaimName;
import dev.berth.model.api.pod.PodClaimSource.TemplateName;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.api.pod.PodSpec;
import dev.berth.model.api.pod.ResourceRequirements;
import dev.berth.model.api.taint.Toleration;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.OneOfFields;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.RecordType;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.function.Function;

/// Mappings of the fields of a Pod that affect scheduling.
public final class PodMappings {

    static final RecordType<Map<String, Quantity>> AMOUNTS = map(QUANTITY);

    static final RecordMapping<PodResourceClaim> CLAIM =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, PodResourceClaim::name);
                var source =
                        OneOfFields.of(f, PodResourceClaim::source)
                                .field(
                                        "resourceClaimName",
                                        WORD,
                                        ClaimName.class,
                                        ClaimName::new,
                                        ClaimName::name)
                                .field(
                                        "resourceClaimTemplateName",
                                        WORD,
                                        TemplateName.class,
                                        TemplateName::new,
                                        TemplateName::name)
                                .otherwise(
                                        PodClaimSource.Unrecognised.class,
                                        PodClaimSource.Unrecognised::new,
                                        PodClaimSource.Unrecognised::raw);
                return in -> new PodResourceClaim(in.get(name), source.apply(in));
            });

    private static final RecordMapping<ContainerClaim> CONTAINER_CLAIM =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, ContainerClaim::name);
                var request = f.optional("request", WORD, ContainerClaim::request);
                return in -> new ContainerClaim(in.get(name), in.get(request));
            });

    private static final RecordMapping<ResourceRequirements> RESOURCES =
            RecordMapping.of(f -> {
                var limits = f.optional("limits", AMOUNTS, ResourceRequirements::limits);
                var requests = f.optional("requests", AMOUNTS, ResourceRequirements::requests);
                var claims =
                        f.optional("claims", list(CONTAINER_CLAIM), ResourceRequirements::claims);
                return in ->
                        new ResourceRequirements(in.get(requests), in.get(limits), in.get(claims));
            });

    private static final RecordMapping<ContainerPort> PORT =
            RecordMapping.partial(f -> {
                var port = f.always("containerPort", INT32, ContainerPort::containerPort);
                var hostPort = f.optional("hostPort", INT32, ContainerPort::hostPort);
                var protocol = f.optional("protocol", WORD, ContainerPort::protocol);
                var hostIp = f.optional("hostIP", WORD, ContainerPort::hostIp);
                return in ->
                        new ContainerPort(
                                in.get(port), in.get(hostPort), in.get(protocol), in.get(hostIp));
            });

    private static final RecordMapping<Container> CONTAINER =
            RecordMapping.partial(f -> {
                var name = f.always("name", WORD, Container::name);
                var image = f.optional("image", WORD, Container::image);
                var resources = f.always("resources", RESOURCES, Container::resources);
                var restart = f.pointer("restartPolicy", WORD, Container::restartPolicy);
                var ports = f.optional("ports", list(PORT), Container::ports);
                return in ->
                        new Container(
                                in.get(name),
                                in.get(image),
                                in.get(resources),
                                in.get(restart),
                                in.get(ports));
            });

    private static final RecordMapping<Toleration> TOLERATION =
            RecordMapping.of(f -> {
                var key = f.optional("key", WORD, Toleration::key);
                var operator =
                        f.optional("operator", RequestMappings.OPERATOR, Toleration::operator);
                var value = f.optional("value", WORD, Toleration::value);
                var effect = f.unlessEmpty("effect", NodeMappings.EFFECT, Toleration::effect);
                var seconds = f.number("tolerationSeconds", INT64, Toleration::tolerationSeconds);
                return in ->
                        new Toleration(
                                in.get(key),
                                in.get(operator),
                                in.get(value),
                                in.get(effect),
                                in.get(seconds));
            });

    /// An object with only a name; records have the name itself.
    private static RecordMapping<String> only(String field) {
        return RecordMapping.partial(f -> {
            var name = f.optional(field, WORD, (String text) -> text);
            return in -> in.get(name);
        });
    }

    private static final RecordMapping<PodSpec> SPEC = RecordMapping.partial(PodMappings::spec);

    private static Function<DecodedFields, PodSpec> spec(MappingBuilder<PodSpec> f) {
        var node = f.optional("nodeName", WORD, PodSpec::nodeName);
        var scheduler = f.optional("schedulerName", WORD, PodSpec::schedulerName);
        var claims = f.optional("resourceClaims", list(CLAIM), PodSpec::resourceClaims);
        var init = f.optional("initContainers", list(CONTAINER), PodSpec::initContainers);
        var containers = f.always("containers", list(CONTAINER), PodSpec::containers);
        var resources = f.pointer("resources", RESOURCES, PodSpec::resources);
        var overhead = f.optional("overhead", AMOUNTS, PodSpec::overhead);
        var selector = f.optional("nodeSelector", LABELS, PodSpec::nodeSelector);
        var affinity = f.pointer("affinity", AffinityMappings.AFFINITY, PodSpec::affinity);
        var tolerations = f.optional("tolerations", list(TOLERATION), PodSpec::tolerations);
        var spread =
                f.optional(
                        "topologySpreadConstraints",
                        list(AffinityMappings.SPREAD),
                        PodSpec::topologySpreadConstraints);
        var gates = f.optional("schedulingGates", list(only("name")), PodSpec::schedulingGates);
        var priority = f.number("priority", INT32, PodSpec::priority);
        var preemption = f.pointer("preemptionPolicy", WORD, PodSpec::preemptionPolicy);
        var group = f.pointer("schedulingGroup", only("podGroupName"), PodSpec::podGroupName);
        var hostNetwork = f.optional("hostNetwork", BOOL, PodSpec::hostNetwork);
        var volumes = f.optional("volumes", list(RAW_OBJECT), PodSpec::volumes);
        return in ->
                new PodSpec(
                        in.get(node),
                        in.get(scheduler),
                        in.get(claims),
                        in.get(init),
                        in.get(containers),
                        in.get(resources),
                        in.get(overhead),
                        in.get(selector),
                        in.get(affinity),
                        in.get(tolerations),
                        in.get(spread),
                        in.get(gates),
                        in.get(priority),
                        in.get(preemption),
                        in.get(group).filter(name -> !name.isEmpty()),
                        in.get(hostNetwork),
                        in.get(volumes));
    }

    public static final RecordMapping<Pod> POD =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "Pod");
                var meta = f.always("metadata", META, Pod::metadata);
                var spec = f.always("spec", SPEC, Pod::spec);
                var status = f.always("status", PodStatusMappings.STATUS, Pod::status);
                return in -> new Pod(in.get(meta), in.get(spec), in.get(status));
            });

    private PodMappings() {}
}
