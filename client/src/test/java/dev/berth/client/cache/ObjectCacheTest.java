package dev.berth.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {

    private final ObjectCache<JsonObject> mirror = ObjectCache.ofTrees();
    private final List<String> told = new ArrayList<>();

    private final ObjectCache.Listener<JsonObject> listener =
            new ObjectCache.Listener<>() {
                @Override
                public void added(JsonObject object) {
                    told.add("+" + text(object));
                }

                @Override
                public void changed(JsonObject before, JsonObject after) {
                    told.add(text(before) + ">" + text(after));
                }

                @Override
                public void removed(JsonObject last) {
                    told.add("-" + text(last));
                }
            };

    @Test
    void itIsSyncedOnceEverythingWasTold() {
        assertThat(mirror.isSynced()).isFalse();
        mirror.replaceAll(List.of());
        assertThat(mirror.isSynced()).isTrue();
    }

    @Test
    void whoWantsToKnowIsToldThatEverythingWasTold() {
        mirror.onSynced(() -> told.add("all"));
        assertThat(told).isEmpty();
        mirror.replaceAll(List.of());
        mirror.onSynced(() -> told.add("late"));
        assertThat(told).containsExactly("all", "late");
    }

    @Test
    void changesCanBeHeardOfInOneWay() {
        mirror.listen(
                ObjectCache.Listener.of((before, after) ->
                        told.add(
                                before.map(ObjectCacheTest::text)
                                        + " "
                                        + after.map(ObjectCacheTest::text))));
        mirror.put(object("a", "u1", 1));
        mirror.put(object("a", "u1", 2));
        mirror.remove(object("a", "u1", 3));
        assertThat(told)
                .containsExactly(
                        "Optional.empty Optional[a1]",
                        "Optional[a1] Optional[a2]",
                        "Optional[a3] Optional.empty");
    }

    @Test
    void aNewListIsToldAsItsDifferences() {
        mirror.listen(listener);
        mirror.replaceAll(List.of(object("a", "u1", 1), object("b", "u2", 2)));
        told.clear();
        mirror.replaceAll(List.of(object("b", "u2", 2), object("c", "u3", 3)));
        assertThat(told).containsExactly("-a1", "+c3");
        told.clear();
        mirror.replaceAll(List.of(object("b", "u2", 4), object("c", "u3", 3)));
        assertThat(told).containsExactly("b2>b4");
    }

    @Test
    void anotherObjectOfTheSameNameIsARemovalAndANewOne() {
        mirror.listen(listener);
        mirror.put(object("a", "u1", 1));
        mirror.put(object("a", "u2", 5));
        assertThat(told).containsExactly("+a1", "-a1", "+a5");
    }

    @Test
    void whatIsToldTwiceIsHeardOnce() {
        mirror.listen(listener);
        mirror.put(object("a", "u1", 1));
        mirror.put(object("a", "u1", 1));
        mirror.remove(object("a", "u1", 2));
        mirror.remove(object("a", "u1", 2));
        assertThat(told).containsExactly("+a1", "-a2");
    }

    @Test
    void lateListenersHearWhatIsThere() {
        mirror.put(object("a", "u1", 1));
        mirror.listen(listener);
        assertThat(told).containsExactly("+a1");
        mirror.forget(listener);
        mirror.put(object("b", "u2", 2));
        assertThat(told).containsExactly("+a1");
        assertThat(mirror.find(new ObjectRef("ns", "b"))).contains(object("b", "u2", 2));
    }

    @Test
    void indexesFollow() {
        mirror.put(object("a", "u1", 1));
        var byRevision =
                mirror.index(object ->
                        List.of(object.objectOrEmpty("metadata").text("resourceVersion")));
        mirror.put(object("b", "u2", 1));
        assertThat(byRevision.find("1")).hasSize(2);
        mirror.put(object("a", "u1", 3));
        assertThat(byRevision.find("1")).containsExactly(object("b", "u2", 1));
        assertThat(byRevision.find("3")).containsExactly(object("a", "u1", 3));
        mirror.remove(object("b", "u2", 9));
        assertThat(byRevision.keys()).containsExactly("3");
    }

    private static String text(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        return metadata.text("name") + metadata.text("resourceVersion");
    }

    private static JsonObject object(String name, String uid, int revision) {
        return JsonObject.of(
                "metadata",
                JsonObject.of("namespace", Json.of("ns"))
                        .with("name", Json.of(name))
                        .with("uid", Json.of(uid))
                        .with("resourceVersion", Json.of(Integer.toString(revision))));
    }
}
