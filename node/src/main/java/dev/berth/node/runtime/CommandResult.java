package dev.berth.node.runtime;

/// Exit code and output of a command in a container.
public record CommandResult(int exitCode, String output, String errors) {}
