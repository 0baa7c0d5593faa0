package dev.berth.core.admission.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldErrorTest {

    private static final FieldPath PATH = FieldPath.of("spec").child("x").index(2).key("a/b");

    @Test
    void everyTypeIsPrintedAsKubernetesPrintsIt() {
        assertThat(FieldError.required(PATH)).hasToString("spec.x[2][a/b]: Required value");
        assertThat(FieldError.required(PATH, "why"))
                .hasToString("spec.x[2][a/b]: Required value: why");
        assertThat(FieldError.invalid(PATH, "v", "why").message())
                .isEqualTo("Invalid value: \"v\": why");
        assertThat(FieldError.notSupported(PATH, "v", List.of("b", "a")).message())
                .isEqualTo("Unsupported value: \"v\": supported values: \"a\", \"b\"");
        assertThat(FieldError.duplicate(PATH, Json.of("v")).message())
                .isEqualTo("Duplicate value: \"v\"");
        assertThat(FieldError.tooMany(PATH, 3, 1).message())
                .isEqualTo("Too many: 3: must have at most 1 item");
        assertThat(FieldError.tooLong(PATH, 63).message())
                .isEqualTo("Too long: may not be more than 63 bytes");
        assertThat(FieldError.forbidden(PATH, "why").message()).isEqualTo("Forbidden: why");
        assertThat(FieldError.notFound(PATH, "v", "").message()).isEqualTo("Not found: \"v\"");
        assertThat(FieldError.internal(PATH, "why").message()).isEqualTo("Internal error: why");
    }

    @Test
    void valuesOfAllKindsArePrinted() {
        assertThat(message(Json.of(-1))).isEqualTo("Invalid value: -1: why");
        assertThat(message(Json.of(false))).isEqualTo("Invalid value: false: why");
        assertThat(message(JsonNull.INSTANCE)).isEqualTo("Invalid value: null: why");
        assertThat(message(Json.array(Json.of("a")))).isEqualTo("Invalid value: [\"a\"]: why");
        assertThat(message(JsonObject.of("a", Json.of(1))))
                .isEqualTo("Invalid value: {\"a\":1}: why");
    }

    @Test
    void textIsQuotedAsGoQuotesIt() {
        assertThat(message(Json.of("a\"b\\c\n\t\u0001ü\u200b😀")))
                .isEqualTo("Invalid value: \"a\\\"b\\\\c\\n\\t\\x01ü\\u200b😀\": why");
    }

    @Test
    void everyTypeHasItsReason() {
        assertThat(FieldError.required(PATH).type().reason()).isEqualTo("FieldValueRequired");
        assertThat(FieldError.internal(PATH, "").type().reason()).isEqualTo("InternalError");
    }

    private static String message(Json value) {
        return FieldError.invalid(PATH, value, "why").message();
    }
}
