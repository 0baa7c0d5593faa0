package dev.berth.core.cel.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LibrariesTest {

    private static List<Overload> all() {
        return Arrays.stream(Libraries.values())
                .flatMap(library -> library.overloads().stream())
                .toList();
    }

    @Test
    void idsAreUnique() {
        assertThat(all().stream().map(Overload::id)).doesNotHaveDuplicates();
    }

    @Test
    void membersHaveAReceiver() {
        assertThat(all()).filteredOn(Overload::member).noneMatch(o -> o.arguments().isEmpty());
    }

    // Values of dynamic type are passed to functions unchecked.
    @Test
    void callsWithOtherTypesFailAndDoNotThrow() {
        var odd = new Object();
        for (var overload : all()) {
            if (overload.arguments().isEmpty() || overload.function().equals("includes")) {
                continue;
            }
            var arguments = new Object[overload.arguments().size()];
            Arrays.fill(arguments, odd);
            assertThat(overload.call().apply(arguments))
                    .as(overload.id())
                    .isEqualTo(CelError.noSuchOverload());
            assertThat(overload.charge().of(arguments, CelError.noSuchOverload()))
                    .as(overload.id())
                    .isNotNegative();
        }
    }

    @Test
    void previousVersionLacksIncludes() {
        assertThat(Libraries.values())
                .filteredOn(library -> !library.isIn(36))
                .containsExactly(Libraries.INCLUDES);
        assertThat(Libraries.values()).allMatch(library -> library.isIn(37));
        assertThat(Libraries.values())
                .filteredOn(library -> library.isIn(29))
                .contains(Libraries.URL, Libraries.QUANTITY, Libraries.STRINGS, Libraries.SETS)
                .doesNotContain(Libraries.IP, Libraries.FORMAT, Libraries.SEMVER, Libraries.LISTS);
    }
}
