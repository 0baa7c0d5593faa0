package dev.berth.core.allocate.rule;

/// Errors that an allocator tolerates although Kubernetes fails on them.
public enum Leniency {
    /// A device on which a selector or a derived attribute fails at runtime counts as not matching.
    /// Kubernetes fails the whole pod if its search reaches the device. Expressions that do not
    /// compile remain errors.
    TOLERATE_SELECTOR_ERRORS,
    /// A request for all devices ignores incomplete or invalid pools of drivers whose devices its
    /// class or its selectors rule out. Kubernetes fails on any such pool that is accessible from
    /// the node.
    IGNORE_UNRELATED_POOLS
}
