package dev.berth.model.api.taint;

import java.util.Optional;

/// The taint of a rule and the selector of its devices.
public record DeviceTaintRuleSpec(
        Optional<DeviceTaintSelector> deviceSelector, DeviceTaint taint) {}
