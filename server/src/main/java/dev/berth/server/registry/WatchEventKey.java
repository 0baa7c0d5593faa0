package dev.berth.server.registry;

/// Identity of an encoded watch event among those of one revision of an object.
///
/// @param type ADDED, MODIFIED or DELETED
/// @param mediaType media type of the stream
/// @param version API version of the object
public record WatchEventKey(String type, String mediaType, String version) {}
