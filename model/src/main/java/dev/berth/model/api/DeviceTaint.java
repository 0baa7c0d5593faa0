package dev.berth.model.api;

import java.time.Instant;
import java.util.Optional;

/// A reason not to use a device.
public record DeviceTaint(
        String key, String value, TaintEffect effect, Optional<Instant> timeAdded) {}
