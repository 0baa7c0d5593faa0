package dev.berth.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.server.store.Entry;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoredValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Reflectors in the server's process continue after a failure with one object.
class StoreReflectorTest {

    private static final String COLLECTION = "configmaps";

    private final MemoryStore store = new MemoryStore();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    /// An event handler that throws on an object of that name.
    private final class Fragile implements Cluster.EventHandler<String> {
        private boolean hasFailed;

        @Override
        public void replaceAll(Iterable<String> objects) {
            var names = new ArrayList<String>();
            objects.forEach(names::add);
            told.add("all " + names);
        }

        @Override
        public void put(String name) {
            if (name.equals("overflow") && !hasFailed) {
                hasFailed = true;
                throw new StackOverflowError();
            }
            told.add("put " + name);
        }

        @Override
        public void remove(String name) {
            told.add("remove " + name);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private StoreReflector watch() {
        return new StoreReflector(
                store,
                _ -> {},
                COLLECTION,
                new StoreReflector.Handler<>(
                        _ -> true, new Fragile(), StoreReflectorTest::readableName));
    }

    private static String readableName(Entry entry) {
        if (entry.key().name().equals("unreadable")) {
            throw new IllegalStateException("no such field");
        }
        return entry.key().name();
    }

    private void create(String name) {
        var value = StoredValue.of("{}".getBytes(StandardCharsets.UTF_8));
        store.create(new ObjectKey(COLLECTION, "default", name), value);
    }

    private List<String> told(int count) throws InterruptedException {
        var all = new ArrayList<String>();
        while (all.size() < count) {
            var next = told.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("%s", all).isNotNull();
            all.add(next);
        }
        return all;
    }

    @Test
    void anObjectThatCannotBeReadIsLeftOut() throws InterruptedException {
        create("a");
        create("unreadable");
        try (var _ = watch()) {
            assertThat(told(1)).containsExactly("all [a]");
            var unreadable = new ObjectKey(COLLECTION, "default", "unreadable");
            store.delete(unreadable, store.get(unreadable).orElseThrow().revision());
            create("b");
            assertThat(told(1)).containsExactly("put b");
        }
    }

    @Test
    void failedEventHandlerGetsACompleteListAgain() throws InterruptedException {
        create("a");
        try (var _ = watch()) {
            assertThat(told(1)).containsExactly("all [a]");
            create("overflow");
            assertThat(told(1)).containsExactly("all [a, overflow]");
            create("b");
            assertThat(told(1)).containsExactly("put b");
        }
    }
}
