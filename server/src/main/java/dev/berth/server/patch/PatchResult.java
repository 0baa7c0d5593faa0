package dev.berth.server.patch;

/// Result of a patch.
public sealed interface PatchResult permits PatchedObject, PatchRejection {}
