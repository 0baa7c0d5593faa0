package dev.berth.core.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.berth.core.cel.library.CelTypes;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.Optional;

/// The CEL type of the variable `device`.
final class DeviceType implements CelTypeProvider {

    static final String VARIABLE = "device";
    static final String DRIVER = "driver";
    static final String ATTRIBUTES = "attributes";
    static final String CAPACITY = "capacity";
    static final String MULTIPLE_ALLOCATIONS = "allowMultipleAllocations";

    private static final String NAME = "kubernetes.DRADevice";

    private final CelType attribute;
    private final CelType device;

    DeviceType(CelEnvironment environment, CelFeatures features) {
        var everything = environment == CelEnvironment.STORED;
        // With type `any` an attribute cannot be iterated over, which requires list-type attributes
        // and their feature gate.
        attribute = everything || features.listAttributes() ? SimpleType.DYN : SimpleType.ANY;
        var fields =
                ImmutableMap.<String, CelType>builder()
                        .put(DRIVER, SimpleType.STRING)
                        .put(ATTRIBUTES, twoLevels(attribute))
                        .put(CAPACITY, twoLevels(CelTypes.QUANTITY));
        if (everything || features.consumableCapacity()) {
            fields.put(MULTIPLE_ALLOCATIONS, SimpleType.BOOL);
        }
        var types = fields.buildOrThrow();
        device =
                StructType.create(
                        NAME, types.keySet(), field -> Optional.ofNullable(types.get(field)));
    }

    private static CelType twoLevels(CelType value) {
        return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
    }

    CelType type() {
        return device;
    }

    /// The type of an attribute value.
    CelType attribute() {
        return attribute;
    }

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.of(device);
    }

    @Override
    public Optional<CelType> findType(String name) {
        return name.equals(NAME) ? Optional.of(device) : Optional.empty();
    }
}
