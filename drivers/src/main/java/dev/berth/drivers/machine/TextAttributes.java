package dev.berth.drivers.machine;

import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.AttributeValue.StringValue;
import java.util.Map;

/// Attributes that are text.
public final class TextAttributes {

    /// The API takes no longer ones.
    private static final int MAX_LENGTH = 64;

    private TextAttributes() {}

    /// Adds an attribute, if there is something to say and not too much.
    public static void put(Map<String, AttributeValue> attributes, String name, String text) {
        if (!text.isEmpty() && text.length() <= MAX_LENGTH) {
            attributes.put(name, new StringValue(text));
        }
    }
}
