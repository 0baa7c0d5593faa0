package dev.berth.model.api.claim;

/// An attribute that a request derives from others with an expression, for use in constraints.
public record DerivedAttribute(String name, String expression) {}
