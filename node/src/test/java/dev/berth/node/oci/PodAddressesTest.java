package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodAddressesTest {

    private static final PodAddresses SMALL = PodAddresses.parse("10.1.2.8/29");

    @Test
    void theFirstAddressIsTheHostsAndTheLastIsNotAssigned() {
        assertThat(SMALL.host()).isEqualTo("10.1.2.9");
        assertThat(SMALL.next(Set.of(), Optional.empty())).hasValue("10.1.2.10");
        assertThat(SMALL.next(Set.of(), Optional.of("10.1.2.14"))).hasValue("10.1.2.10");
    }

    @Test
    void aReleasedAddressIsNotReusedAtOnce() {
        assertThat(SMALL.next(Set.of("10.1.2.12"), Optional.of("10.1.2.11"))).hasValue("10.1.2.13");
    }

    @Test
    void anExhaustedRangeHasNoAddress() {
        var all = Set.of("10.1.2.10", "10.1.2.11", "10.1.2.12", "10.1.2.13", "10.1.2.14");
        assertThat(SMALL.next(all, Optional.of("10.1.2.12"))).isEmpty();
    }

    @Test
    void theRangeStartsAtItsNetworkAddress() {
        assertThat(PodAddresses.parse("10.88.7.9/16")).isEqualTo(PodAddresses.DEFAULT);
        assertThat(PodAddresses.DEFAULT).hasToString("10.88.0.0/16");
    }

    @Test
    void invalidRangesAreRefused() {
        assertThatThrownBy(() -> PodAddresses.parse("10.88.0.0"))
                .hasMessage(
                        "\"10.88.0.0\" is not an IPv4 range in CIDR notation such as"
                                + " 10.88.0.0/16");
        assertThatThrownBy(() -> PodAddresses.parse("10.88.0.300/16"))
                .hasMessageContaining("has the octet 300");
        assertThatThrownBy(() -> PodAddresses.parse("10.88.0.0/31"))
                .hasMessageContaining("too large or too small");
    }
}
