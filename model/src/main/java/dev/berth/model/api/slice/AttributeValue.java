package dev.berth.model.api.slice;

import dev.berth.model.json.JsonObject;
import java.util.List;

/// The value of a device attribute: exactly one of the types of the API.
public sealed interface AttributeValue {

    record IntValue(long value) implements AttributeValue {}

    record BoolValue(boolean value) implements AttributeValue {}

    record StringValue(String value) implements AttributeValue {}

    /// A semantic version, kept as written.
    record VersionValue(String value) implements AttributeValue {}

    record IntList(List<Long> values) implements AttributeValue {
        public IntList {
            values = List.copyOf(values);
        }
    }

    record BoolList(List<Boolean> values) implements AttributeValue {
        public BoolList {
            values = List.copyOf(values);
        }
    }

    record StringList(List<String> values) implements AttributeValue {
        public StringList {
            values = List.copyOf(values);
        }
    }

    record VersionList(List<String> values) implements AttributeValue {
        public VersionList {
            values = List.copyOf(values);
        }
    }

    /// A value of an unknown type, or none; kept as written.
    record Unrecognised(JsonObject raw) implements AttributeValue {}
}
