package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;

/// A value of a type that only Kubernetes' libraries know. It equals values of its own type by
/// `equals`; comparing it with anything else fails.
public interface KubernetesCelValue {

    CelType celType();

    /// What `size` counts for the purpose of costs.
    default long costSize() {
        return 1;
    }
}
