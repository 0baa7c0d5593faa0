package dev.berth.schema.protobuf;

import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.protobuf.FieldNumbers.Entry;
import dev.berth.schema.protobuf.FieldNumbers.Presence;
import dev.berth.schema.protobuf.FieldNumbers.Wrapping;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The encoding of one schema type: its fields in the order of the schema, and the parts of its
/// message by number.
final class MessageType {

    /// A part of a message.
    sealed interface Part {

        int number();
    }

    /// A field of the object.
    ///
    /// @param ordinal index in the object
    /// @param alwaysWritten true if Go writes the field in JSON also when it is not set
    /// @param keepsZero true if zero, false and "" are values
    record FieldPart(
            String name,
            int number,
            int ordinal,
            SchemaType type,
            boolean alwaysWritten,
            boolean keepsZero,
            boolean omitsZero,
            Wrapping wrapping)
            implements Part {}

    /// A message whose fields belong to the same object.
    record InlinedPart(int number, Parts parts) implements Part {}

    /// The parts of a message.
    static final class Parts {
        private final @Nullable Part[] byNumber;
        private final Part[] descending;

        private Parts(List<Part> parts) {
            var sorted = parts.stream().sorted(Comparator.comparingInt(Part::number)).toList();
            byNumber = new Part[sorted.isEmpty() ? 0 : sorted.getLast().number() + 1];
            sorted.forEach(part -> byNumber[part.number()] = part);
            descending = sorted.reversed().toArray(Part[]::new);
        }

        /// The part with a number; null if the number is unknown.
        @Nullable Part numbered(int number) {
            return number < byNumber.length ? byNumber[number] : null;
        }

        /// All parts, highest number first.
        Part[] descending() {
            return descending;
        }
    }

    private final Struct struct;
    private final Parts parts;
    private final FieldPart[] required;

    private MessageType(Struct struct, Parts parts, FieldPart[] required) {
        this.struct = struct;
        this.parts = parts;
        this.required = required;
    }

    static MessageType of(Struct struct, FieldNumbers numbers) {
        return of(struct, numbers.entries(struct.name()), numbers);
    }

    static MessageType of(Struct struct, List<Entry> entries, FieldNumbers numbers) {
        var ordinals = new HashMap<String, Integer>();
        for (var field : struct.fields().all()) {
            ordinals.put(field.name(), ordinals.size());
        }
        var required = new ArrayList<FieldPart>();
        var parts = parts(struct, entries, numbers, ordinals, required);
        return new MessageType(struct, parts, required.toArray(FieldPart[]::new));
    }

    private static Parts parts(
            Struct struct,
            List<Entry> entries,
            FieldNumbers numbers,
            Map<String, Integer> ordinals,
            List<FieldPart> required) {
        var parts = new ArrayList<Part>();
        for (var entry : entries) {
            switch (entry) {
                case Entry.Inlined(var message, var number) ->
                        parts.add(
                                new InlinedPart(
                                        number,
                                        parts(
                                                struct,
                                                numbers.entries(message),
                                                numbers,
                                                ordinals,
                                                required)));
                case Entry.Named named -> {
                    var field = struct.fields().named(named.field());
                    var ordinal = ordinals.get(named.field());
                    if (field != null && ordinal != null) {
                        var part = part(field, named, ordinal);
                        parts.add(part);
                        if (isNullWhenAbsent(part)) {
                            required.add(part);
                        }
                    }
                }
            }
        }
        return new Parts(parts);
    }

    private static FieldPart part(Field field, Entry.Named named, int ordinal) {
        var always = field.required() || named.presence() == Presence.ALWAYS;
        return new FieldPart(
                field.name(),
                named.number(),
                ordinal,
                field.type(),
                always,
                always || named.presence() == Presence.POINTER,
                named.presence() == Presence.OMIT_ZERO,
                named.wrapping());
    }

    /// Go writes `null` for a list, a map or bytes without `omitempty` that are not set.
    private static boolean isNullWhenAbsent(FieldPart part) {
        return part.alwaysWritten
                && (part.type instanceof SchemaType.ListOf
                        || part.type instanceof SchemaType.MapOf
                        || part.type == SchemaType.Scalar.BYTES);
    }

    Struct struct() {
        return struct;
    }

    Parts parts() {
        return parts;
    }

    /// Number of fields in the schema.
    int size() {
        return struct.fields().all().size();
    }

    /// Fields that are `null` in JSON if the message lacks them.
    FieldPart[] nullWhenAbsent() {
        return required;
    }
}
