package dev.berth.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RememberedReadingTest {

    private final Codec codec = new Codec();

    @Test
    void versionsThatShareTheirSpecShareWhatIsReadFromIt() {
        var first =
                tree(
                        "{\"metadata\":{\"name\":\"a\",\"uid\":\"1\"},"
                                + "\"spec\":{\"driver\":\"d\",\"nodeName\":\"n\"}}");
        var second = first.with("metadata", tree("{\"name\":\"a\",\"uid\":\"2\"}"));
        var one = codec.readTree(Kinds.RESOURCE_SLICE, first, Strictness.STRICT).value().get();
        var other = codec.readTree(Kinds.RESOURCE_SLICE, second, Strictness.STRICT).value().get();
        assertThat(other.spec()).isSameAs(one.spec());
        assertThat(other.metadata().uid().value()).isEqualTo("2");
    }

    @Test
    void whatWasWrongWithAPartIsSaidEachTime() {
        var tree = tree("{\"spec\":{\"driver\":\"d\",\"foo\":1}}");
        for (var i = 0; i < 2; i++) {
            assertThat(codec.readTree(Kinds.RESOURCE_SLICE, tree, Strictness.STRICT))
                    .isInstanceOf(Decoded.Refused.class);
        }
    }

    private static JsonObject tree(String text) {
        return JsonReader.read(text.getBytes(StandardCharsets.UTF_8))
                        instanceof Reading.Documents(var documents)
                ? (JsonObject) documents.getFirst().root()
                : JsonObject.EMPTY;
    }
}
