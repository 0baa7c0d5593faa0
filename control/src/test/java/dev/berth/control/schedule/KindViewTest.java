package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KindViewTest {

    /// An object `key=value`; an upper-case value is equivalent to the lower-case one.
    private static final class Recorded implements KindRules<String, String> {

        private final List<String> calls = new ArrayList<>();

        @Override
        public String key(String object) {
            return object.substring(0, object.indexOf('='));
        }

        @Override
        public boolean isEquivalent(String before, String now) {
            return before.equalsIgnoreCase(now);
        }

        @Override
        public void put(String now, Optional<String> before, boolean isListed) {
            calls.add("put %s after %s%s".formatted(now, before, isListed ? " listed" : ""));
        }

        @Override
        public void remove(String last) {
            calls.add("remove " + last);
        }

        @Override
        public void applied(boolean isList) {
            calls.add(isList ? "list applied" : "applied");
        }
    }

    private final Recorded rules = new Recorded();
    private final KindView<String, String> view = new KindView<>(rules);

    @Test
    void aChangeIsAppliedWithTheVersionBefore() {
        view.put("a=1");
        view.put("a=2");
        view.remove("a=2");
        view.put("a=3");

        assertThat(rules.calls)
                .containsExactly(
                        "put a=1 after Optional.empty",
                        "applied",
                        "put a=2 after Optional[a=1]",
                        "applied",
                        "remove a=2",
                        "applied",
                        "put a=3 after Optional.empty",
                        "applied");
    }

    @Test
    void anEquivalentChangeIsIgnored() {
        view.put("a=x");
        rules.calls.clear();
        view.put("a=X");

        assertThat(rules.calls).isEmpty();
    }

    @Test
    void aListReplacesAllObjectsAndIsAppliedOnce() {
        view.put("a=1");
        view.put("b=1");
        rules.calls.clear();
        view.replaceAll(List.of("b=2", "c=1"));

        assertThat(rules.calls)
                .containsExactly(
                        "put b=2 after Optional[b=1] listed",
                        "put c=1 after Optional.empty listed",
                        "remove a=1",
                        "list applied");
    }
}
