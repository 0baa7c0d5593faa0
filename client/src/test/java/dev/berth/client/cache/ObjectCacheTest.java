package dev.berth.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {

    private final ObjectCache<JsonObject> cache = ObjectCache.ofJson();
    private final List<String> events = new ArrayList<>();

    private final ObjectCache.Listener<JsonObject> listener =
            new ObjectCache.Listener<>() {
                @Override
                public void added(JsonObject object) {
                    events.add("+" + text(object));
                }

                @Override
                public void changed(JsonObject before, JsonObject after) {
                    events.add(text(before) + ">" + text(after));
                }

                @Override
                public void removed(JsonObject last) {
                    events.add("-" + text(last));
                }
            };

    @Test
    void itIsSyncedAfterTheFirstList() {
        assertThat(cache.isSynced()).isFalse();
        cache.replaceAll(List.of());
        assertThat(cache.isSynced()).isTrue();
    }

    @Test
    void onSyncedIsCalledAfterEveryListAndAtOnceWhenSynced() {
        cache.onSynced(() -> events.add("all"));
        assertThat(events).isEmpty();
        cache.replaceAll(List.of());
        cache.onSynced(() -> events.add("late"));
        assertThat(events).containsExactly("all", "late");
    }

    @Test
    void oneFunctionCanHandleAllChanges() {
        cache.addListener(
                ObjectCache.Listener.of((before, after) ->
                        events.add(
                                before.map(ObjectCacheTest::text)
                                        + " "
                                        + after.map(ObjectCacheTest::text))));
        cache.put(object("a", "u1", 1));
        cache.put(object("a", "u1", 2));
        cache.remove(object("a", "u1", 3));
        assertThat(events)
                .containsExactly(
                        "Optional.empty Optional[a1]",
                        "Optional[a1] Optional[a2]",
                        "Optional[a3] Optional.empty");
    }

    @Test
    void aNewListIsPassedOnAsDifferences() {
        cache.addListener(listener);
        cache.replaceAll(List.of(object("a", "u1", 1), object("b", "u2", 2)));
        events.clear();
        cache.replaceAll(List.of(object("b", "u2", 2), object("c", "u3", 3)));
        assertThat(events).containsExactly("-a1", "+c3");
        events.clear();
        cache.replaceAll(List.of(object("b", "u2", 4), object("c", "u3", 3)));
        assertThat(events).containsExactly("b2>b4");
    }

    @Test
    void anotherUidIsADeletionAndAnAddition() {
        cache.addListener(listener);
        cache.put(object("a", "u1", 1));
        cache.put(object("a", "u2", 5));
        assertThat(events).containsExactly("+a1", "-a1", "+a5");
    }

    @Test
    void duplicateEventsAreDropped() {
        cache.addListener(listener);
        cache.put(object("a", "u1", 1));
        cache.put(object("a", "u1", 1));
        cache.remove(object("a", "u1", 2));
        cache.remove(object("a", "u1", 2));
        assertThat(events).containsExactly("+a1", "-a2");
    }

    @Test
    void writtenObjectsAreCachedWithoutEvents() {
        var byRevision =
                cache.index(object ->
                        List.of(object.objectOrEmpty("metadata").text("resourceVersion")));
        cache.put(object("a", "u1", 9));
        cache.addListener(listener);
        events.clear();
        cache.putWritten(object("a", "u1", 10));
        cache.putWritten(object("b", "u2", 11));
        assertThat(cache.find(new ObjectRef("ns", "a"))).contains(object("a", "u1", 10));
        assertThat(byRevision.keys()).containsExactlyInAnyOrder("10", "11");
        cache.put(object("a", "u1", 10));
        cache.put(object("b", "u2", 11));
        assertThat(events).isEmpty();
    }

    @Test
    void eventsOlderThanAWrittenObjectAreDropped() {
        cache.addListener(listener);
        cache.putWritten(object("a", "u2", 10));
        cache.put(object("a", "u1", 8));
        cache.remove(object("a", "u1", 9));
        assertThat(events).isEmpty();
        cache.put(object("a", "u2", 12));
        cache.putWritten(object("a", "u2", 11));
        assertThat(cache.all()).containsExactly(object("a", "u2", 12));
        assertThat(events).containsExactly("a10>a12");
    }

    @Test
    void aListWithOlderVersionsIsApplied() {
        cache.put(object("a", "u1", 10));
        cache.addListener(listener);
        events.clear();
        cache.replaceAll(List.of(object("a", "u1", 7)));
        assertThat(events).containsExactly("a10>a7");
    }

    @Test
    void lateListenersGetPresentObjects() {
        cache.put(object("a", "u1", 1));
        cache.addListener(listener);
        assertThat(events).containsExactly("+a1");
        cache.removeListener(listener);
        cache.put(object("b", "u2", 2));
        assertThat(events).containsExactly("+a1");
        assertThat(cache.find(new ObjectRef("ns", "b"))).contains(object("b", "u2", 2));
    }

    @Test
    void indexesAreKeptUpToDate() {
        cache.put(object("a", "u1", 1));
        var byRevision =
                cache.index(object ->
                        List.of(object.objectOrEmpty("metadata").text("resourceVersion")));
        cache.put(object("b", "u2", 1));
        assertThat(byRevision.find("1")).hasSize(2);
        cache.put(object("a", "u1", 3));
        assertThat(byRevision.find("1")).containsExactly(object("b", "u2", 1));
        assertThat(byRevision.find("3")).containsExactly(object("a", "u1", 3));
        cache.remove(object("b", "u2", 9));
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
