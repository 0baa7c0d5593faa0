package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// A watch of a collection that resumes where it ended: after a number of events while the server
/// runs, and after the server was killed. It records the revisions of all objects and events. A
/// missed event shows as a difference from a list, or as a write that was acknowledged with a
/// revision before the last event and has no event.
final class ResumedWatch {

    private static final int EXPIRED = 410;

    /// Number of events after which the connection is closed and the watch resumes on another.
    private static final int EVENTS_PER_CONNECTION = 10;

    private final String path;
    private final Map<String, Long> revisions = new HashMap<>();
    private final Set<Long> seen = new HashSet<>();
    private long last;
    private long events;
    private long resumptions;
    private long expired;

    ResumedWatch(String path) {
        this.path = path;
    }

    /// Watches from the last event on, up to the event of the marker, and compares with the list.
    ///
    /// @param listed the revision of a list of all objects, made after the start of the server and
    ///   before the marker was created
    RawClient.Watch resume(
            String round, RawClient client, long listed, Map<String, Long> objects, long marker)
            throws IOException {
        if (last == 0) {
            begin(listed, objects);
        }
        assertThat(last)
                .as("%s: no event is ahead of the store", round)
                .isLessThanOrEqualTo(listed);
        var watch = open(client);
        var event = KillRun.tree(watch.line());
        if (isExpired(event)) {
            watch.close();
            expired++;
            begin(listed, objects);
            watch = open(client);
            event = KillRun.tree(watch.line());
        } else {
            resumptions++;
        }
        apply(round, event);
        while (last < marker) {
            apply(round, KillRun.tree(watch.line()));
        }
        assertThat(last).as("%s: the marker", round).isEqualTo(marker);
        assertThat(revisions).as("%s: objects by events and by a list", round).isEqualTo(objects);
        return watch;
    }

    private void begin(long revision, Map<String, Long> objects) {
        revisions.clear();
        revisions.putAll(objects);
        last = revision;
    }

    private RawClient.Watch open(RawClient client) throws IOException {
        return client.watch(path + "?watch=1&resourceVersion=" + last);
    }

    private static boolean isExpired(JsonObject event) {
        return event.text("type").equals("ERROR")
                && event.objectOrEmpty("object").number("code").orElse(0) == EXPIRED;
    }

    /// Reads the watch, on one connection after another, until the server is killed.
    void readUntilKilled(String round, RawClient.Watch first, Supplier<RawClient> clients) {
        seen.clear();
        var watch = first;
        try {
            while (true) {
                for (var i = 0; i < EVENTS_PER_CONNECTION; i++) {
                    apply(round, KillRun.tree(watch.line()));
                }
                watch.close();
                watch = open(clients.get());
                resumptions++;
            }
        } catch (IOException _) {
            watch.close();
        }
    }

    /// Compares with the revisions of writes that were acknowledged during the watch.
    void check(String round, Set<Long> acknowledged) {
        assertThat(acknowledged.stream().filter(revision -> revision <= last))
                .as("%s: acknowledged writes up to revision %d have events", round, last)
                .allMatch(seen::contains);
    }

    private void apply(String round, JsonObject event) {
        var metadata = event.objectOrEmpty("object").objectOrEmpty("metadata");
        assertThat(event.text("type"))
                .as("%s: %s", round, event)
                .isIn("ADDED", "MODIFIED", "DELETED");
        var name = metadata.text("name");
        var revision = Long.parseLong(metadata.text("resourceVersion"));
        assertThat(revision).as("%s: revisions of events rise", round).isGreaterThan(last);
        last = revision;
        events++;
        seen.add(revision);
        if (name.startsWith(KillRun.PREFIX)) {
            if (event.text("type").equals("DELETED")) {
                revisions.remove(name);
            } else {
                revisions.put(name, revision);
            }
        }
    }

    long events() {
        return events;
    }

    long resumptions() {
        return resumptions;
    }

    long expired() {
        return expired;
    }
}
