package dev.berth.model.api;

import java.util.Optional;

/// The taint and the devices that get it.
public record DeviceTaintRuleSpec(
        Optional<DeviceTaintSelector> deviceSelector, DeviceTaint taint) {}
