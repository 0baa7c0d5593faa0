package dev.berth.core.cel;

import java.util.Optional;

/// A device field that an expression reads.
///
/// @param name the field in CEL syntax: `device.attributes["gpu.example.com"].model`
/// @param value the value in CEL syntax, `"A100"`; empty when the device does not have the field
public record ReadValue(String name, Optional<String> value) {}
