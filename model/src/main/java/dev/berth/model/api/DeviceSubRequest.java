package dev.berth.model.api;

/// One alternative of a request; results name it as `request/alternative`.
public record DeviceSubRequest(String name, DeviceDemand demand) {}
