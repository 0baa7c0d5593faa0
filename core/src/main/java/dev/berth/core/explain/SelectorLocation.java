package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import java.util.Optional;

/// Position of a selector in a class or in a request of a claim.
///
/// @param deviceClass the class that has the selector; empty for a selector of the request
/// @param request the name in allocation results: `request` or `request/alternative`
/// @param number index in the list, from zero
public record SelectorLocation(
        Optional<String> deviceClass, ObjectRef claim, String request, int number) {}
