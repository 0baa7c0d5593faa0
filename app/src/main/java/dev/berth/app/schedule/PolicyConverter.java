package dev.berth.app.schedule;

import dev.berth.core.place.PlacementPolicy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Parses `--policy`: one policy, or a sequence separated by commas.
public final class PolicyConverter implements ITypeConverter<PlacementPolicy> {

    @Override
    public PlacementPolicy convert(String text) {
        try {
            return PlacementPolicy.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
