package dev.berth.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectReadsTest {

    private static final Resource MAPS =
            BuiltInKinds.all(KindOptions.of(FeatureGates.defaults())).stream()
                    .filter(one -> one.collection().equals("configmaps"))
                    .findFirst()
                    .orElseThrow();

    private final MemoryStore store = new MemoryStore();
    private final ObjectReads reads = new ObjectReads(store);

    private void put(String namespace, String name, String label) {
        var text =
                """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","namespace":"%s",\
                "labels":{"l":"%s"}}}\
                """
                        .formatted(name, namespace, label);
        store.create(
                new ObjectKey("configmaps", namespace, name),
                text.getBytes(StandardCharsets.UTF_8));
    }

    private ObjectReads.Page list(
            String namespace, String labels, int limit, String continueToken) {
        var selection = ObjectSelection.parse(MAPS, labels, "");
        return reads.list(MAPS, namespace, new ListQuery(selection, "", "", limit, continueToken));
    }

    private static List<String> names(ObjectReads.Page page) {
        return page.entries().stream().map(entry -> entry.key().name()).toList();
    }

    @Test
    void pagesAreOfTheRevisionOfTheFirst() {
        for (var i = 0; i < 10; i++) {
            put(i % 2 == 0 ? "a" : "b", "m" + i, i % 3 == 0 ? "x" : "y");
        }
        for (var namespace : List.of("", "a", "b")) {
            for (var labels : List.of("", "l=x", "l=y", "l=z")) {
                var whole = names(list(namespace, labels, 0, ""));
                for (var limit = 1; limit < 5; limit++) {
                    assertThat(inPages(namespace, labels, limit)).isEqualTo(whole);
                }
            }
        }
    }

    private List<String> inPages(String namespace, String labels, int limit) {
        var all = new ArrayList<String>();
        var next = "";
        do {
            var page = list(namespace, labels, limit, next);
            assertThat(page.entries().size()).isLessThanOrEqualTo(limit);
            all.addAll(names(page));
            next = page.continueToken();
        } while (!next.isEmpty());
        return all;
    }

    @Test
    void laterPagesDoNotIncludeLaterChanges() {
        put("a", "one", "x");
        put("a", "two", "x");
        var first = list("a", "", 1, "");
        put("a", "zzz", "x");
        assertThat(first.remaining()).isEqualTo(1);
        var second = list("a", "", 5, first.continueToken());
        assertThat(names(second)).containsExactly("two");
        assertThat(second.revision()).isEqualTo(first.revision());
    }

    @Test
    void remainingCountIsKnownWithoutSelectorsOnly() {
        put("a", "one", "x");
        put("a", "two", "x");
        assertThat(list("a", "l=x", 1, "").remaining()).isEqualTo(-1);
        assertThat(list("a", "", 2, "").remaining()).isEqualTo(-1);
    }

    @Test
    void continueTokensRoundTrip() {
        var token = new ListToken(42, "ns/näme");
        assertThat(ListToken.read(token.text())).isEqualTo(token);
        for (var broken : List.of("", "x", "e30", token.text().substring(4), "%%%")) {
            assertThatExceptionOfType(ApiException.class).isThrownBy(() -> ListToken.read(broken));
        }
    }

    @Test
    void futureRevisionTimesOut() {
        put("a", "one", "x");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() ->
                        reads.list(
                                MAPS,
                                "",
                                new ListQuery(
                                        ObjectSelection.parse(MAPS, "", ""), "99", "Exact", 0, "")))
                .satisfies(e -> assertThat(e.error().code()).isEqualTo(504));
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> ObjectReads.revision("-1"));
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> ObjectReads.revision("1.0"));
    }
}
