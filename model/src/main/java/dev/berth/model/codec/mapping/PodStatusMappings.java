package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.TEXT;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.pod.ExtendedResourceClaimStatus;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.PodPhase;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import dev.berth.model.api.pod.PodStatus;
import dev.berth.model.codec.record.RecordMapping;

/// Mappings of pod status.
final class PodStatusMappings {

    static final RecordMapping<PodResourceClaimStatus> CLAIM =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, PodResourceClaimStatus::name);
                var claim =
                        f.pointer(
                                "resourceClaimName",
                                TEXT,
                                PodResourceClaimStatus::resourceClaimName);
                return in -> new PodResourceClaimStatus(in.get(name), in.get(claim));
            });

    private static final RecordMapping<RequestMapping> MAPPING =
            RecordMapping.of(f -> {
                var container = f.always("containerName", WORD, RequestMapping::containerName);
                var resource = f.always("resourceName", WORD, RequestMapping::resourceName);
                var request = f.always("requestName", WORD, RequestMapping::requestName);
                return in ->
                        new RequestMapping(in.get(container), in.get(resource), in.get(request));
            });

    private static final RecordMapping<ExtendedResourceClaimStatus> EXTENDED =
            RecordMapping.of(f -> {
                var mappings =
                        f.always(
                                "requestMappings",
                                list(MAPPING),
                                ExtendedResourceClaimStatus::requestMappings);
                var claim =
                        f.always(
                                "resourceClaimName",
                                TEXT,
                                ExtendedResourceClaimStatus::resourceClaimName);
                return in -> new ExtendedResourceClaimStatus(in.get(mappings), in.get(claim));
            });

    private static final RecordMapping<NodeAllocatableClaimStatus.Mapped> MAPPED =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, NodeAllocatableClaimStatus.Mapped::name);
                var quantity =
                        f.always("quantity", QUANTITY, NodeAllocatableClaimStatus.Mapped::quantity);
                return in -> new NodeAllocatableClaimStatus.Mapped(in.get(name), in.get(quantity));
            });

    private static final RecordMapping<NodeAllocatableClaimStatus.Overhead> OVERHEAD =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, NodeAllocatableClaimStatus.Overhead::name);
                var pod =
                        f.pointer("perPod", QUANTITY, NodeAllocatableClaimStatus.Overhead::perPod);
                var container =
                        f.pointer(
                                "perContainer",
                                QUANTITY,
                                NodeAllocatableClaimStatus.Overhead::perContainer);
                return in ->
                        new NodeAllocatableClaimStatus.Overhead(
                                in.get(name), in.get(pod), in.get(container));
            });

    private static final RecordMapping<NodeAllocatableClaimStatus> NODE_ALLOCATABLE =
            RecordMapping.of(f -> {
                var claim =
                        f.always(
                                "resourceClaimName",
                                TEXT,
                                NodeAllocatableClaimStatus::resourceClaimName);
                var containers =
                        f.optional("containers", WORDS, NodeAllocatableClaimStatus::containers);
                var mapping =
                        f.optional("mapping", list(MAPPED), NodeAllocatableClaimStatus::mapping);
                var overhead =
                        f.optional(
                                "overhead", list(OVERHEAD), NodeAllocatableClaimStatus::overhead);
                return in ->
                        new NodeAllocatableClaimStatus(
                                in.get(claim),
                                in.get(containers),
                                in.get(mapping),
                                in.get(overhead));
            });

    static final RecordMapping<PodStatus> STATUS =
            RecordMapping.partial(f -> {
                var phase =
                        f.optional(
                                "phase", WORD.as(PodPhase::of, PodPhase::text), PodStatus::phase);
                var conditions =
                        f.optional(
                                "conditions",
                                list(MetaMappings.OPEN_CONDITION),
                                PodStatus::conditions);
                var nominated = f.optional("nominatedNodeName", WORD, PodStatus::nominatedNodeName);
                var claims =
                        f.optional(
                                "resourceClaimStatuses",
                                list(CLAIM),
                                PodStatus::resourceClaimStatuses);
                var extended =
                        f.pointer(
                                "extendedResourceClaimStatus",
                                EXTENDED,
                                PodStatus::extendedResourceClaimStatus);
                var allocatable =
                        f.optional(
                                "nodeAllocatableResourceClaimStatuses",
                                list(NODE_ALLOCATABLE),
                                PodStatus::nodeAllocatableClaimStatuses);
                return in ->
                        new PodStatus(
                                in.get(phase),
                                in.get(conditions),
                                in.get(nominated),
                                in.get(claims),
                                in.get(extended),
                                in.get(allocatable));
            });

    private PodStatusMappings() {}
}
