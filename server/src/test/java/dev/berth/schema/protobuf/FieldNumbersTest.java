package dev.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schema.Schemas;
import dev.berth.schema.Type.Struct;
import dev.berth.schema.protobuf.FieldNumbers.Entry;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Schemas and the table of field numbers describe the same fields.
class FieldNumbersTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final FieldNumbers NUMBERS = FieldNumbers.builtIn();

    /// Types without a protobuf encoding in Kubernetes.
    private static boolean isJsonOnly(Struct struct) {
        return Schemas.simpleName(struct).startsWith("Table");
    }

    private static Set<String> numbered(String message) {
        var fields = new TreeSet<String>();
        for (var entry : NUMBERS.entries(message)) {
            switch (entry) {
                case Entry.Named named -> fields.add(named.field());
                case Entry.Inlined(var inlined, _) -> fields.addAll(numbered(inlined));
            }
        }
        return fields;
    }

    @Test
    void everyFieldOfASchemaHasANumber() {
        var missing = new TreeSet<String>();
        for (var struct : SCHEMAS.all()) {
            if (isJsonOnly(struct)) {
                continue;
            }
            if (!NUMBERS.contains(struct.name())) {
                missing.add(struct.name());
            }
            var numbered = numbered(struct.name());
            for (var field : struct.fields().all()) {
                var type = field.name().equals("apiVersion") || field.name().equals("kind");
                if (!type && !numbered.contains(field.name())) {
                    missing.add(struct.name() + "." + field.name());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyNumberOfASchemaHasAField() {
        var missing = new TreeSet<String>();
        for (var struct : SCHEMAS.all()) {
            for (var field : numbered(struct.name())) {
                if (struct.fields().named(field) == null) {
                    missing.add(struct.name() + "." + field);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void aNumberOccursOncePerMessage() {
        for (var message : NUMBERS.messages()) {
            var seen = new HashSet<Integer>();
            for (var entry : NUMBERS.entries(message)) {
                assertThat(seen.add(entry.number())).as(message + " " + entry).isTrue();
            }
        }
    }
}
