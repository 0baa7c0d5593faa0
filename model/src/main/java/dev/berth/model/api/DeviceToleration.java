package dev.berth.model.api;

import java.util.Optional;
import java.util.OptionalLong;

/// Which taints a request puts up with; an absent effect and an empty key stand for any.
public record DeviceToleration(
        String key,
        TolerationOperator operator,
        String value,
        Optional<TaintEffect> effect,
        OptionalLong tolerationSeconds) {}
