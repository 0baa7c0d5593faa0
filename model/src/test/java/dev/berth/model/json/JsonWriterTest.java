package dev.berth.model.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWriterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "null",
                "{\"a\":[1,-2.5e3,true,false,null,{}],\"b\":{\"c\":[]}}",
                "{\"k:{\\\"uid\\\":\\\"x\\\"}\":{\".\":{}},\"\\\"\\\"\":\"\\\"\"}",
                "[\"a\\\\b\\\"c\",\"\\n\\u0001\",\"grün\",\"\\\"𝄞\\\"\",\"plain\"]"
            })
    void collidingNamesAreDecodedAndEncoded(String text) {
        var reading = (ParseResult.Documents) JsonReader.read(text.getBytes(UTF_8));
        var json = reading.documents().getFirst().root();
        assertThat(JsonWriter.compact(json)).isEqualTo(text);
        assertThat(JsonWriter.bytes(json)).isEqualTo(text.getBytes(UTF_8));
    }
}
