package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.dynamic;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.failure;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CostRange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkLibrariesTest {

    private static Object ip(String text) {
        return call("string_to_ip", text);
    }

    private static Object cidr(String text) {
        return call("string_to_cidr", text);
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.0.1, 192.168.0.1, 4",
        "0.0.0.0, 0.0.0.0, 4",
        "::, ::, 6",
        "::1, ::1, 6",
        "2001:DB8::ABCD, 2001:db8::abcd, 6",
        "2001:db8::0:0:0:abcd, 2001:db8::abcd, 6",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3, 6",
        "1:0:0:2:0:0:3:4, 1::2:0:0:3:4, 6",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7, 6",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0, 6",
        "64:ff9b::1.2.3.4, 64:ff9b::102:304, 6"
    })
    void readsAddresses(String text, String canonical, long family) {
        assertThat(call("ip_to_string", ip(text))).isEqualTo(canonical);
        assertThat(call("ip_family", ip(text))).isEqualTo(family);
        assertThat(call("is_ip", text)).isEqualTo(true);
        assertThat(call("ip_is_canonical", text)).isEqualTo(text.equals(canonical));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~|unable to parse IP",
                "abc|unable to parse IP",
                "%eth0|missing IPv6 address",
                "1.2.3|IPv4 address too short",
                "1.2.3.4.5|IPv4 address too long",
                "1.2.3.256|IPv4 field has value >255",
                "1.2.3.04|IPv4 field has octet with leading zero",
                "1..2.3|IPv4 field must have at least one digit (at \".2.3\")",
                "1.2.3.|IPv4 field must have at least one digit (at \".\")",
                "1.2.3.x|unexpected character (at \"x\")",
                ":::1|each colon-separated field must have at least one digit (at \":1\")",
                "1:2|address string too short",
                "1:2:3:4:5:6:7:8:9|trailing garbage after address (at \"9\")",
                "1::2::3|multiple :: in address (at \":3\")",
                "12345::|each group must have 4 or less digits (at \"12345::\")",
                "1:2:3:4:5:6:7:|colon must be followed by more characters (at \":\")",
                "1:2:3:4:5:6:7:8::|the :: must expand to at least one field of zeros",
                "::1:2:3:4:5:6:7:8|the :: must expand to at least one field of zeros",
                "1:2z::|unexpected character, want colon (at \"z::\")",
                "1:1.2.3.4|embedded IPv4 address must replace the final 2 fields of the address"
                        + " (at \"1.2.3.4\")",
                "fe80::1%|zone must be a non-empty string"
            })
    void refusesOtherAddresses(String text, String reason) {
        assertThat(ip(text))
                .isEqualTo(
                        failure(
                                ("IP Address \"%s\" parse error during conversion from string: "
                                                + "ParseAddr(\"%s\"): %s")
                                        .formatted(text, text, reason)));
        assertThat(call("is_ip", text)).isEqualTo(false);
        assertThat(call("ip_is_canonical", text)).isEqualTo(ip(text));
    }

    @Test
    void refusesZonesAndMappedAddresses() {
        assertThat(ip("fe80::1%eth0"))
                .isEqualTo(failure("IP address \"fe80::1%eth0\" with zone value is not allowed"));
        assertThat(ip("::ffff:1.2.3.4"))
                .isEqualTo(failure("IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed"));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, u----",
        "::, u----",
        "127.1.2.3, -l---",
        "::1, -l---",
        "224.0.0.1, --m--",
        "224.0.1.1, -----",
        "ff02::1, --m--",
        "ff05::1, -----",
        "169.254.1.1, ---s-",
        "fe80::1, ---s-",
        "febf::1, ---s-",
        "fec0::1, ----g",
        "192.168.0.1, ----g",
        "255.255.255.255, -----",
        "2001:db8::abcd, ----g",
        "fd80::1, ----g"
    })
    void classifiesAddresses(String text, String kinds) {
        var ids =
                List.of(
                        "ip_is_unspecified",
                        "ip_is_loopback",
                        "ip_is_link_local_multicast",
                        "ip_is_link_local_unicast",
                        "ip_is_global_unicast");
        for (var i = 0; i < ids.size(); i++) {
            assertThat(call(ids.get(i), ip(text))).as(ids.get(i)).isEqualTo(kinds.charAt(i) != '-');
        }
    }

    @Test
    void readsNetworks() {
        var network = cidr("192.168.1.5/16");
        assertThat(call("cidr_to_string", network)).isEqualTo("192.168.1.5/16");
        assertThat(call("cidr_ip", network)).isEqualTo(ip("192.168.1.5"));
        assertThat(call("cidr_prefix_length", network)).isEqualTo(16L);
        assertThat(call("cidr_masked", network)).isEqualTo(cidr("192.168.0.0/16"));
        assertThat(call("cidr_masked", cidr("2001:db8:ffff::1/33")))
                .isEqualTo(cidr("2001:db8:8000::/33"));
        assertThat(call("cidr_masked", cidr("::1/128"))).isEqualTo(cidr("::1/128"));
        assertThat(call("cidr_masked", cidr("1.2.3.4/0"))).isEqualTo(cidr("0.0.0.0/0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0|no '/'",
                "10.0.0.0/33|prefix length out of range",
                "::1/129|prefix length out of range",
                "10.0.0.0/|bad bits after slash: \"\"",
                "10.0.0.0/08|bad bits after slash: \"08\"",
                "10.0.0.0/+8|bad bits after slash: \"+8\"",
                "10.0.0.0/x|bad bits after slash: \"x\"",
                "10.0.0/8|ParseAddr(\"10.0.0\"): IPv4 address too short",
                "fe80::1%eth0/64|IPv6 zones cannot be present in a prefix"
            })
    void refusesOtherNetworks(String text, String reason) {
        var prefix = "network address parse error during conversion from string: ";
        assertThat(cidr(text))
                .isEqualTo(
                        failure(
                                prefix
                                        + prefix
                                        + "netip.ParsePrefix(\"%s\"): %s".formatted(text, reason)));
        assertThat(call("is_cidr", text)).isEqualTo(false);
    }

    @Test
    void refusesMappedNetworks() {
        assertThat(cidr("::ffff:1.2.3.4/112")).isInstanceOf(CelError.class);
        assertThat(call("is_cidr", "10.0.0.0/8")).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.0.0/24, 192.168.0.1, true",
        "192.168.0.0/24, 192.168.1.1, false",
        "192.168.0.5/24, 192.168.0.1, true",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "2001:db8::/32, 2001:db8:1::1, true",
        "10.0.0.0/9, 10.128.0.0, false"
    })
    void containsAddresses(String network, String address, boolean contains) {
        assertThat(call("cidr_contains_ip_string", cidr(network), address)).isEqualTo(contains);
        assertThat(call("cidr_contains_ip_ip", cidr(network), ip(address))).isEqualTo(contains);
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.0.0/16, 192.168.10.0/24, true",
        "192.168.1.0/24, 192.168.2.0/24, false",
        "192.168.0.0/16, 192.168.0.0/16, true",
        "192.168.0.0/16, 192.168.0.0/15, false",
        "::/0, 10.0.0.0/8, false"
    })
    void containsNetworks(String outer, String inner, boolean contains) {
        assertThat(call("cidr_contains_cidr_string", cidr(outer), inner)).isEqualTo(contains);
        assertThat(call("cidr_contains_cidr", cidr(outer), cidr(inner))).isEqualTo(contains);
    }

    @Test
    void containingFailsWithTheText() {
        assertThat(call("cidr_contains_ip_string", cidr("10.0.0.0/8"), "x")).isEqualTo(ip("x"));
        assertThat(call("cidr_contains_cidr_string", cidr("10.0.0.0/8"), "x")).isEqualTo(cidr("x"));
        assertThat(call("cidr_contains_ip_ip", cidr("10.0.0.0/8"), 1L))
                .isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void chargesForReadingAndComparing() {
        var v4 = cidr("192.168.0.0/16");
        var v6 = cidr("2001:db8::/32");
        assertThat(charge("string_to_ip", "192.168.0.1")).isEqualTo(2);
        assertThat(charge("ip_is_canonical", "2001:db8:3333:4444:5555:6666:7777:8888"))
                .isEqualTo(8);
        assertThat(charge("cidr_ip", v4)).isEqualTo(1);
        assertThat(charge("cidr_contains_ip_ip", v4, ip("192.0.0.1"))).isEqualTo(1);
        assertThat(charge("cidr_contains_ip_string", v4, "192.169.0.1")).isEqualTo(3);
        assertThat(charge("cidr_contains_cidr", v4, v4)).isEqualTo(3);
        assertThat(charge("cidr_contains_cidr_string", v6, "2001:db8::/32")).isEqualTo(5);
    }

    @Test
    void estimatesBothFamilies() {
        assertThat(estimate("string_to_cidr", text(14)).cost()).isEqualTo(CostRange.exactly(2));
        assertThat(estimate("ip_is_canonical", text(11)).cost()).isEqualTo(CostRange.exactly(3));
        assertThat(estimate("cidr_contains_ip_ip", dynamic(1), dynamic(1)).cost())
                .isEqualTo(new CostRange(1, 4));
        assertThat(estimate("cidr_contains_ip_string", dynamic(1), text(11)).cost())
                .isEqualTo(new CostRange(3, 6));
        assertThat(estimate("cidr_contains_cidr", dynamic(1), dynamic(1)).cost())
                .isEqualTo(new CostRange(3, 7));
        assertThat(estimate("cidr_contains_cidr_string", dynamic(1), text(14)).cost())
                .isEqualTo(new CostRange(5, 9));
    }
}
