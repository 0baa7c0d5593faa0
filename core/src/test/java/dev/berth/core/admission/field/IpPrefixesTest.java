package dev.berth.core.admission.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpPrefixesTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1/8, 10.0.0.1/8",
        "010.000.0.1/08, 10.0.0.1/8",
        "::/0, ::/0",
        "::1/128, ::1/128",
        "1::/16, 1::/16",
        "0:0:1:0:0:0:1:0/64, 0:0:1::1:0/64",
        "1:0:0:2:0:0:3:4/64, 1::2:0:0:3:4/64",
        "1:0:2:3:4:5:6:7/64, 1:0:2:3:4:5:6:7/64",
        "FE80::00AB/10, fe80::ab/10",
        "::ffff:1.2.3.4/128, 1.2.3.4/128",
        "64:ff9b::1.2.3.4/96, 64:ff9b::102:304/96"
    })
    void addressesHaveCanonicalForm(String text, String canonical) {
        assertThat(IpPrefixes.canonical(text)).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "10.0.0.1",
                "10.0.0/8",
                "10.0.0.256/8",
                "10.0.0.1/",
                "10.0.0.1/33",
                "10.0.0.1/-1",
                "::/129",
                ":::/1",
                "1::2::3/64",
                "1:2:3:4:5:6:7/64",
                "1:2:3:4:5:6:7:8:9/64",
                "1:2:3:4:5:6:7::8/64",
                "12345::/64",
                "g::/64",
                "1.2.3.4::/64",
                "::1.2.3/64",
                "fe80::1%eth0/64"
            })
    void invalidAddressesAreRejected(String text) {
        assertThat(IpPrefixes.canonical(text)).isEmpty();
    }
}
