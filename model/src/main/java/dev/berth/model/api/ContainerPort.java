package dev.berth.model.api;

/// A port of a container; it occupies the node's own port when `hostPort` is not 0.
public record ContainerPort(long containerPort, long hostPort, String protocol, String hostIp) {}
