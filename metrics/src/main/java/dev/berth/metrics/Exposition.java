package dev.berth.metrics;

/// All metrics of a process as text.
///
/// @param contentType the negotiated format
@SuppressWarnings("ArrayRecordComponent")
public record Exposition(String contentType, byte[] bytes) {}
