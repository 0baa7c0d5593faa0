package dev.berth.server.patch;

/// What came of a patch.
public sealed interface PatchResult permits PatchedObject, PatchRejection {}
