package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.mapping.MetaMappings.NODE_SELECTOR;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.INT64;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.NodeScope.AllNodes;
import dev.berth.model.api.slice.NodeScope.MatchingNodes;
import dev.berth.model.api.slice.NodeScope.OneNode;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.OneOfFields;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.RecordType;
import java.util.List;
import java.util.function.Function;

/// ResourceSlice.
public final class SliceMappings {

    static final RecordType<List<SkipNodeOperation>> SKIPPED =
            list(WORD.as(SkipNodeOperation::of, SkipNodeOperation::text));

    private static final RecordMapping<ResourcePool> POOL =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, ResourcePool::name);
                var generation = f.always("generation", INT64, ResourcePool::generation);
                var count = f.always("resourceSliceCount", INT64, ResourcePool::resourceSliceCount);
                return in -> new ResourcePool(in.get(name), in.get(generation), in.get(count));
            });

    private static final RecordMapping<CounterSet> COUNTER_SET =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, CounterSet::name);
                var counters =
                        f.optional("counters", DeviceMappings.COUNTERS, CounterSet::counters);
                return in -> new CounterSet(in.get(name), in.get(counters));
            });

    public static final RecordMapping<ResourceSliceSpec> SPEC =
            RecordMapping.of(SliceMappings::spec);

    private static Function<DecodedFields, ResourceSliceSpec> spec(
            MappingBuilder<ResourceSliceSpec> f) {
        var driver = f.always("driver", WORD, ResourceSliceSpec::driver);
        var pool = f.always("pool", POOL, ResourceSliceSpec::pool);
        var scope = scope(f);
        var devices =
                f.optional("devices", list(DeviceMappings.DEVICE), ResourceSliceSpec::devices);
        var counters =
                f.optional("sharedCounters", list(COUNTER_SET), ResourceSliceSpec::sharedCounters);
        var partitionType =
                f.pointer(
                        "partitionTypeAttribute", WORD, ResourceSliceSpec::partitionTypeAttribute);
        var skipped =
                f.optional("skipNodeOperations", SKIPPED, ResourceSliceSpec::skipNodeOperations);
        return in ->
                new ResourceSliceSpec(
                        in.get(driver),
                        in.get(pool),
                        scope.apply(in),
                        in.get(devices),
                        in.get(counters),
                        in.get(partitionType),
                        in.get(skipped));
    }

    private static Function<DecodedFields, SliceScope> scope(MappingBuilder<ResourceSliceSpec> f) {
        return OneOfFields.of(f, ResourceSliceSpec::scope)
                .field("nodeName", WORD, OneNode.class, OneNode::new, OneNode::name)
                .field(
                        "nodeSelector",
                        NODE_SELECTOR,
                        MatchingNodes.class,
                        MatchingNodes::new,
                        MatchingNodes::selector)
                .flag("allNodes", AllNodes.class, new AllNodes())
                .flag(
                        "perDeviceNodeSelection",
                        SliceScope.PerDevice.class,
                        new SliceScope.PerDevice())
                .otherwise(
                        SliceScope.Unrecognised.class,
                        SliceScope.Unrecognised::new,
                        SliceScope.Unrecognised::raw);
    }

    public static final RecordMapping<ResourceSlice> SLICE =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceSlice");
                var meta = f.always("metadata", META, ResourceSlice::metadata);
                var spec = f.always("spec", SPEC, ResourceSlice::spec);
                return in -> new ResourceSlice(in.get(meta), in.get(spec));
            });

    private SliceMappings() {}
}
