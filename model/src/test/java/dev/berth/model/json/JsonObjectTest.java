package dev.berth.model.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonObjectTest {

    private static JsonObject object(String text) {
        return (JsonObject)
                ((ParseResult.Documents) JsonReader.read(text.getBytes(UTF_8)))
                        .documents()
                        .getFirst()
                        .root();
    }

    @Test
    void equalPartsAreShared() {
        var before = object("{\"spec\":{\"a\":[1,{\"b\":\"x\"}]},\"status\":{\"n\":1}}");
        var after = object("{\"spec\":{\"a\":[1,{\"b\":\"x\"}]},\"status\":{\"n\":2}}");
        var shared = after.sharing(before);
        assertThat(shared).isEqualTo(after);
        assertThat(shared.members().get("spec")).isSameAs(before.members().get("spec"));
        assertThat(shared.members().get("status")).isNotSameAs(before.members().get("status"));
    }

    @Test
    void anEqualObjectIsReplacedByTheOther() {
        var before = object("{\"a\":{\"b\":1},\"c\":[]}");
        var shared = object("{\"a\":{\"b\":1},\"c\":[]}").sharing(before);
        assertThat(shared.members()).isSameAs(before.members());
    }

    @Test
    void sharingKeepsTheOrderOfMembers() {
        var before = object("{\"a\":1,\"b\":2}");
        var shared = object("{\"b\":2,\"a\":1}").sharing(before);
        assertThat(JsonWriter.compact(shared)).isEqualTo("{\"b\":2,\"a\":1}");
    }

    @Test
    void numbersWithOtherLiteralsAreNotShared() {
        var shared = object("{\"a\":1.0,\"b\":[1,2]}").sharing(object("{\"a\":1,\"b\":[1]}"));
        assertThat(JsonWriter.compact(shared)).isEqualTo("{\"a\":1.0,\"b\":[1,2]}");
    }

    @Test
    void anObjectThatStartsWithTheHeadIsUnchanged() {
        var object = object("{\"a\":1,\"b\":{\"c\":2},\"d\":3}");
        assertThat(object.beginningWith(object("{\"a\":1,\"b\":{\"c\":2}}"))).isSameAs(object);
    }

    @Test
    void theHeadReplacesMembersOfTheSameName() {
        var head = object("{\"a\":1,\"b\":2}");
        assertThat(beginning("{\"a\":0,\"b\":0,\"c\":3}", head))
                .isEqualTo("{\"a\":1,\"b\":2,\"c\":3}");
        assertThat(beginning("{\"c\":3,\"b\":0}", head)).isEqualTo("{\"a\":1,\"b\":2,\"c\":3}");
        assertThat(beginning("{}", head)).isEqualTo("{\"a\":1,\"b\":2}");
    }

    private static String beginning(String text, JsonObject head) {
        return JsonWriter.compact(object(text).beginningWith(head));
    }
}
