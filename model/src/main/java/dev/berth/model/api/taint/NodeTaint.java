package dev.berth.model.api.taint;

import java.time.Instant;
import java.util.Optional;

/// A taint of a node.
public record NodeTaint(
        String key, String value, NodeTaintEffect effect, Optional<Instant> timeAdded) {}
