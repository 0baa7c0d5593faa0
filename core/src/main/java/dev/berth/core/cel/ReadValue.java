package dev.berth.core.cel;

import java.util.Optional;

/// Something of a device that an expression looked at.
///
/// @param name as an expression would say it: `device.attributes["gpu.example.com"].model`
/// @param value as an expression would say it, `"A100"`; empty when the device has no such thing
public record ReadValue(String name, Optional<String> value) {}
