package dev.berth.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedWatchEventTest {

    private final Entry entry =
            new Entry(new ObjectKey("configmaps", "default", "a"), 7, new byte[] {'{', '}'});
    private final AtomicInteger encoded = new AtomicInteger();

    private byte[] event(String type, String mediaType) {
        return ServedObjects.event(
                entry,
                new WatchEventKey(type, mediaType, "v1"),
                () -> {
                    encoded.incrementAndGet();
                    return (type + " " + mediaType).getBytes(StandardCharsets.US_ASCII);
                });
    }

    @Test
    void anEventIsEncodedOnceForWatchersOfOneMediaType() {
        var first = event("ADDED", "json");
        assertThat(event("ADDED", "json")).isSameAs(first);
        assertThat(encoded).hasValue(1);
    }

    @Test
    void typesAndMediaTypesHaveTheirOwnEncoding() {
        assertThat(event("ADDED", "json")).asString().isEqualTo("ADDED json");
        assertThat(event("MODIFIED", "json")).asString().isEqualTo("MODIFIED json");
        assertThat(event("MODIFIED", "protobuf")).asString().isEqualTo("MODIFIED protobuf");
    }
}
