package dev.berth.node.runtime;

/// What came of a command in a container.
public record CommandResult(int exitCode, String output, String errors) {}
