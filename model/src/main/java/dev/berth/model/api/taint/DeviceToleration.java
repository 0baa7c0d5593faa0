package dev.berth.model.api.taint;

import java.util.Optional;
import java.util.OptionalLong;

/// The device taints that a request tolerates; an absent effect and an empty key match any.
public record DeviceToleration(
        String key,
        TolerationOperator operator,
        String value,
        Optional<TaintEffect> effect,
        OptionalLong tolerationSeconds) {}
