package dev.berth.server.patch;

import dev.berth.model.json.JsonObject;

/// The object after the patch, not yet defaulted or validated.
public record PatchedObject(JsonObject object) implements PatchResult {}
