package dev.berth.model.api;

/// An attribute that a request computes from others, for use in constraints.
public record DerivedAttribute(String name, String expression) {}
