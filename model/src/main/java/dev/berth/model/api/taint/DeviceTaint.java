package dev.berth.model.api.taint;

import java.time.Instant;
import java.util.Optional;

/// A taint of a device.
public record DeviceTaint(
        String key, String value, TaintEffect effect, Optional<Instant> timeAdded) {}
