package dev.berth.model.api.claim;

/// One alternative of a request; results name it as `request/alternative`.
public record DeviceSubRequest(String name, DeviceDemand demand) {}
