package dev.berth.core.explain;

import dev.berth.model.api.ObjectRef;
import java.util.Optional;

/// Which selector: of a class, or of a request of a claim.
///
/// @param deviceClass the class whose selector it is; empty for the request's own
/// @param request as results call it: `request` or `request/alternative`
/// @param number its place in the list, from zero
public record SelectorLocation(
        Optional<String> deviceClass, ObjectRef claim, String request, int number) {}
