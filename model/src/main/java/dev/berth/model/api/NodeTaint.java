package dev.berth.model.api;

import java.time.Instant;
import java.util.Optional;

/// A reason not to use a node.
public record NodeTaint(
        String key, String value, NodeTaintEffect effect, Optional<Instant> timeAdded) {}
