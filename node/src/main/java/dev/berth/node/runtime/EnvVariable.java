package dev.berth.node.runtime;

/// A variable of a process's environment.
public record EnvVariable(String name, String value) {}
