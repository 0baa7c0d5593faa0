package dev.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.schema.protobuf.FieldNumbers.Entry;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Schemas and the table of field numbers describe the same fields.
class FieldNumbersTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final FieldNumbers NUMBERS = FieldNumbers.builtIn();

    /// Kinds without a protobuf encoding: tables, and kinds of groups that Kubernetes 1.37 has in
    /// another version only.
    private static final Set<String> WITHOUT =
            Set.of(
                    "io.k8s.apimachinery.pkg.apis.meta.v1.Table",
                    "io.k8s.api.admissionregistration.v1alpha1.MutatingWebhookConfiguration",
                    "io.k8s.api.admissionregistration.v1alpha1.ValidatingWebhookConfiguration",
                    "io.k8s.api.admissionregistration.v1beta1.MutatingWebhookConfiguration",
                    "io.k8s.api.admissionregistration.v1beta1.ValidatingWebhookConfiguration");

    /// The types of all kinds and of their fields.
    private static Set<Struct> types() {
        var types = new LinkedHashSet<Struct>();
        for (var name : SCHEMAS.kinds()) {
            var kind = SCHEMAS.kind(name.group(), name.version(), name.kind()).orElseThrow();
            if (!WITHOUT.contains(kind.name())) {
                collect(kind, types);
            }
        }
        return types;
    }

    private static void collect(SchemaType type, Set<Struct> types) {
        switch (type) {
            case Struct struct -> {
                if (types.add(struct)) {
                    struct.fields().all().forEach(field -> collect(field.type(), types));
                }
            }
            case ListOf list -> collect(list.item(), types);
            case MapOf map -> collect(map.value(), types);
            case Scalar _ -> {}
        }
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
        for (var struct : types()) {
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
        for (var struct : types()) {
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
