package dev.berth.core.cel.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionalsExtensionTest {

    @Test
    void firstAndLastOfEmptyListAreEmpty() {
        assertThat(call("list_first", List.of(1L, 2L))).isEqualTo(Optional.of(1L));
        assertThat(call("list_last", List.of(1L, 2L))).isEqualTo(Optional.of(2L));
        assertThat(call("list_first", List.of())).isEqualTo(Optional.empty());
        assertThat(call("list_last", List.of())).isEqualTo(Optional.empty());
    }

    @Test
    void unwrapDropsEmptyOptionals() {
        var options = List.of(Optional.of(1L), Optional.empty(), Optional.of(3L));
        assertThat(call("optional_unwrap_list", options)).isEqualTo(List.of(1L, 3L));
        assertThat(call("optional_unwrapOpt_list", options)).isEqualTo(List.of(1L, 3L));
    }

    @Test
    void otherValuesAreErrors() {
        assertThat(call("list_first", "abc")).isEqualTo(CelError.noSuchOverload());
        assertThat(call("optional_unwrap_list", List.of(1L))).isEqualTo(CelError.noSuchOverload());
    }

    private static Object call(String id, Object argument) {
        return OptionalsExtension.overloads().stream()
                .filter(overload -> overload.id().equals(id))
                .findFirst()
                .orElseThrow()
                .call()
                .apply(new Object[] {argument});
    }
}
