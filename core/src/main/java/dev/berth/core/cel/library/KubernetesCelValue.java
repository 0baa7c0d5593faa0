package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;

/// A value of a type of Kubernetes' CEL libraries. Values of the same type are compared by
/// `equals`; comparison with another type is an error.
public interface KubernetesCelValue {

    CelType celType();

    /// Size for the cost model.
    default long costSize() {
        return 1;
    }
}
