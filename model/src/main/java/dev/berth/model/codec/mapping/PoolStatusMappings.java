package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.CONDITIONS;
import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.INT32;
import static dev.berth.model.codec.record.ScalarTypes.INT64;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.TEXT;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.PoolStatus;
import dev.berth.model.api.slice.PoolStatus.PartitionSummary;
import dev.berth.model.api.slice.PoolStatus.ShareableCapacity;
import dev.berth.model.api.slice.PoolStatus.ShareableSummary;
import dev.berth.model.api.slice.ResourcePoolStatusRequest;
import dev.berth.model.api.slice.ResourcePoolStatusRequestSpec;
import dev.berth.model.api.slice.ResourcePoolStatusRequestStatus;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.RecordMapping;
import java.util.function.Function;

/// ResourcePoolStatusRequest.
public final class PoolStatusMappings {

    private static final RecordMapping<ResourcePoolStatusRequestSpec> SPEC =
            RecordMapping.of(f -> {
                var driver = f.always("driver", WORD, ResourcePoolStatusRequestSpec::driver);
                var pool = f.pointer("poolName", WORD, ResourcePoolStatusRequestSpec::poolName);
                var limit = f.number("limit", INT32, ResourcePoolStatusRequestSpec::limit);
                var attribute =
                        f.pointer(
                                "defaultPartitionTypeAttribute",
                                WORD,
                                ResourcePoolStatusRequestSpec::defaultPartitionTypeAttribute);
                return in ->
                        new ResourcePoolStatusRequestSpec(
                                in.get(driver), in.get(pool), in.get(limit), in.get(attribute));
            });

    private static final RecordMapping<PartitionSummary> PARTITION =
            RecordMapping.of(f -> {
                var type = f.optional("type", WORD, PartitionSummary::type);
                var total = f.number("total", INT32, PartitionSummary::total);
                var allocatable = f.number("allocatable", INT32, PartitionSummary::allocatable);
                var attribute = f.optional("attribute", WORD, PartitionSummary::attribute);
                return in ->
                        new PartitionSummary(
                                in.get(type),
                                in.get(total),
                                in.get(allocatable),
                                in.get(attribute));
            });

    private static final RecordMapping<ShareableCapacity> CAPACITY =
            RecordMapping.of(f -> {
                var name = f.optional("name", WORD, ShareableCapacity::name);
                var total = f.pointer("total", QUANTITY, ShareableCapacity::total);
                var consumed = f.pointer("consumed", QUANTITY, ShareableCapacity::consumed);
                var available = f.pointer("available", QUANTITY, ShareableCapacity::available);
                return in ->
                        new ShareableCapacity(
                                in.get(name), in.get(total), in.get(consumed), in.get(available));
            });

    private static final RecordMapping<ShareableSummary> SHAREABLE =
            RecordMapping.of(f -> {
                var fully =
                        f.number(
                                "fullyAvailableDevices",
                                INT32,
                                ShareableSummary::fullyAvailableDevices);
                var partially =
                        f.number(
                                "partiallyAvailableDevices",
                                INT32,
                                ShareableSummary::partiallyAvailableDevices);
                var capacity = f.optional("capacity", list(CAPACITY), ShareableSummary::capacity);
                return in ->
                        new ShareableSummary(in.get(fully), in.get(partially), in.get(capacity));
            });

    private static final RecordMapping<PoolStatus> POOL =
            RecordMapping.of(PoolStatusMappings::pool);

    private static Function<DecodedFields, PoolStatus> pool(MappingBuilder<PoolStatus> f) {
        var driver = f.optional("driver", WORD, status -> status.id().driver());
        var name = f.optional("poolName", WORD, status -> status.id().pool());
        var node = f.pointer("nodeName", WORD, PoolStatus::nodeName);
        var total = f.number("totalDevices", INT32, PoolStatus::totalDevices);
        var allocated = f.number("allocatedDevices", INT32, PoolStatus::allocatedDevices);
        var available = f.number("availableDevices", INT32, PoolStatus::availableDevices);
        var unavailable = f.number("unavailableDevices", INT32, PoolStatus::unavailableDevices);
        var slices = f.number("resourceSliceCount", INT32, PoolStatus::resourceSliceCount);
        var generation = f.always("generation", INT64, PoolStatus::generation);
        var error = f.pointer("validationError", TEXT, PoolStatus::validationError);
        var partitions =
                f.optional("partitionSummary", list(PARTITION), PoolStatus::partitionSummary);
        var shareable = f.pointer("shareableSummary", SHAREABLE, PoolStatus::shareableSummary);
        return in ->
                new PoolStatus(
                        new PoolId(in.get(driver), in.get(name)),
                        in.get(node),
                        in.get(total),
                        in.get(allocated),
                        in.get(available),
                        in.get(unavailable),
                        in.get(slices),
                        in.get(generation),
                        in.get(error),
                        in.get(partitions),
                        in.get(shareable));
    }

    private static final RecordMapping<ResourcePoolStatusRequestStatus> STATUS =
            RecordMapping.of(f -> {
                var count =
                        f.number("poolCount", INT32, ResourcePoolStatusRequestStatus::poolCount);
                var pools = f.optional("pools", list(POOL), ResourcePoolStatusRequestStatus::pools);
                var conditions =
                        f.optional(
                                "conditions",
                                CONDITIONS,
                                ResourcePoolStatusRequestStatus::conditions);
                return in ->
                        new ResourcePoolStatusRequestStatus(
                                in.get(count), in.get(pools), in.get(conditions));
            });

    public static final RecordMapping<ResourcePoolStatusRequest> REQUEST =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1alpha3");
                f.fixed("kind", "ResourcePoolStatusRequest");
                var meta = f.always("metadata", META, ResourcePoolStatusRequest::metadata);
                var spec = f.always("spec", SPEC, ResourcePoolStatusRequest::spec);
                var status = f.pointer("status", STATUS, ResourcePoolStatusRequest::status);
                return in ->
                        new ResourcePoolStatusRequest(in.get(meta), in.get(spec), in.get(status));
            });

    private PoolStatusMappings() {}
}
