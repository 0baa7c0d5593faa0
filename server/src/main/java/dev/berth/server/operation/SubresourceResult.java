package dev.berth.server.operation;

import dev.berth.model.json.JsonObject;
import java.util.List;

/// The result of an operation on a subresource with rules of its own.
///
/// @param object in the version of the subresource
public record SubresourceResult(JsonObject object, List<String> warnings) {}
