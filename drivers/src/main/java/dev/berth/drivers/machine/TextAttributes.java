package dev.berth.drivers.machine;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import java.util.Map;

/// Adds string attributes to devices.
public final class TextAttributes {

    /// Maximum length of a string attribute in the API.
    private static final int MAX_LENGTH = 64;

    private TextAttributes() {}

    /// Adds an attribute unless the value is empty or too long.
    public static void put(Map<String, AttributeValue> attributes, String name, String text) {
        if (!text.isEmpty() && text.length() <= MAX_LENGTH) {
            attributes.put(name, new StringValue(text));
        }
    }
}
