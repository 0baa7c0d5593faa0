package dev.berth.node.runtime;

/// An environment variable.
public record EnvVariable(String name, String value) {}
