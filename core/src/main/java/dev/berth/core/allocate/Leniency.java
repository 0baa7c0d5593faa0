package dev.berth.core.allocate;

/// Where an allocator may be kinder than Kubernetes. Without any it fails where Kubernetes fails.
public enum Leniency {
    /// A device on which a selector or a derived attribute cannot be evaluated counts as one that
    /// does not match; Kubernetes gives up on the whole pod, if it comes to look at the device. An
    /// expression that cannot be compiled is an error all the same.
    TOLERATE_SELECTOR_ERRORS,
    /// A request for all devices does not mind an incomplete or invalid pool of a driver whose
    /// devices its class or its selectors rule out; Kubernetes minds any pool that the node sees.
    IGNORE_UNRELATED_POOLS
}
