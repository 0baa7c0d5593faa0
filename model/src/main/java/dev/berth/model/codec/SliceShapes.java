package dev.berth.model.codec;

import static dev.berth.model.codec.Containers.list;
import static dev.berth.model.codec.MetaShapes.META;
import static dev.berth.model.codec.MetaShapes.NODE_SELECTOR;
import static dev.berth.model.codec.Scalars.INT64;
import static dev.berth.model.codec.Scalars.WORD;

import dev.berth.model.api.CounterSet;
import dev.berth.model.api.NodeScope.AllNodes;
import dev.berth.model.api.NodeScope.MatchingNodes;
import dev.berth.model.api.NodeScope.OneNode;
import dev.berth.model.api.ResourcePool;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.ResourceSliceSpec;
import dev.berth.model.api.SkipNodeOperation;
import dev.berth.model.api.SliceScope;
import java.util.List;
import java.util.function.Function;

/// ResourceSlice.
final class SliceShapes {

    static final Type<List<SkipNodeOperation>> SKIPPED =
            list(WORD.as(SkipNodeOperation::of, SkipNodeOperation::text));

    private static final Shape<ResourcePool> POOL =
            Shape.of(f -> {
                var name = f.always("name", WORD, ResourcePool::name);
                var generation = f.always("generation", INT64, ResourcePool::generation);
                var count = f.always("resourceSliceCount", INT64, ResourcePool::resourceSliceCount);
                return in -> new ResourcePool(in.get(name), in.get(generation), in.get(count));
            });

    private static final Shape<CounterSet> COUNTER_SET =
            Shape.of(f -> {
                var name = f.always("name", WORD, CounterSet::name);
                var counters = f.optional("counters", DeviceShapes.COUNTERS, CounterSet::counters);
                return in -> new CounterSet(in.get(name), in.get(counters));
            });

    static final Shape<ResourceSliceSpec> SPEC = Shape.of(SliceShapes::spec);

    private static Function<Values, ResourceSliceSpec> spec(Fields<ResourceSliceSpec> f) {
        var driver = f.always("driver", WORD, ResourceSliceSpec::driver);
        var pool = f.always("pool", POOL, ResourceSliceSpec::pool);
        var scope = scope(f);
        var devices = f.optional("devices", list(DeviceShapes.DEVICE), ResourceSliceSpec::devices);
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

    private static Function<Values, SliceScope> scope(Fields<ResourceSliceSpec> f) {
        return OneOf.of(f, ResourceSliceSpec::scope)
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

    static final Shape<ResourceSlice> SLICE =
            Shape.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceSlice");
                var meta = f.always("metadata", META, ResourceSlice::metadata);
                var spec = f.always("spec", SPEC, ResourceSlice::spec);
                return in -> new ResourceSlice(in.get(meta), in.get(spec));
            });

    private SliceShapes() {}
}
