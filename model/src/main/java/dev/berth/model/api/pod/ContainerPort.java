package dev.berth.model.api.pod;

/// A port of a container; a host port of the node if `hostPort` is not 0.
public record ContainerPort(long containerPort, long hostPort, String protocol, String hostIp) {}
