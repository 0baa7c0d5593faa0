package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.failure;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlLibraryTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "https://me:pw@example.com:80/path?q=v#f|https|example.com:80|example.com|80|/path",
                "/absolute-path|''|''|''|''|/absolute-path",
                "HTTPS://Example.com|https|Example.com|Example.com|''|''",
                "https://[::1]:80/|https|[::1]:80|::1|80|/",
                "https://[::1]/|https|[::1]|::1|''|/",
                "https://127.0.0.1:/|https|127.0.0.1:|127.0.0.1|''|/",
                "https://example.com/a path/|https|example.com|example.com|''|/a%20path/",
                "https://example.com/a%20b|https|example.com|example.com|''|/a%20b",
                "https://example.com/ä|https|example.com|example.com|''|/%C3%A4",
                "mailto:me@example.com|mailto|''|''|''|''",
                "https:://kubernetes.io/|https|''|''|''|''",
                "*|''|''|''|''|*"
            })
    void readsParts(
            String text, String scheme, String host, String hostname, String port, String path) {
        var url = call("string_to_url", text);
        assertThat(call("is_url_string", text)).isEqualTo(true);
        assertThat(call("url_get_scheme", url)).isEqualTo(scheme);
        assertThat(call("url_get_host", url)).isEqualTo(host);
        assertThat(call("url_get_hostname", url)).isEqualTo(hostname);
        assertThat(call("url_get_port", url)).isEqualTo(port);
        assertThat(call("url_get_escaped_path", url)).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~|empty url",
                "../relative-path|invalid URI for request",
                "relative|invalid URI for request",
                ":foo|missing protocol scheme",
                "https://a:b:c/|invalid port \":c\" after host",
                "https://[::1/|missing ']' in host",
                "https://[::1]x/|invalid port \"x\" after host",
                "https://exa mple.com/|invalid character \" \" in host name",
                "https://example.com/%zz|invalid URL escape \"%zz\"",
                "https://example.com/%4|invalid URL escape \"%4\"",
                "https://%41.com/|invalid URL escape \"%41\"",
                "https://us er@example.com/|net/url: invalid userinfo"
            })
    void refusesOtherTexts(String text, String reason) {
        assertThat(call("string_to_url", text))
                .isEqualTo(
                        failure(
                                "URL parse error during conversion from string: parse \"%s\": %s"
                                        .formatted(text, reason)));
        assertThat(call("is_url_string", text)).isEqualTo(false);
    }

    @Test
    void refusesControlCharacters() {
        assertThat(call("string_to_url", "https://example.com/\u007f"))
                .isEqualTo(
                        failure(
                                "URL parse error during conversion from string: parse"
                                        + " \"https://example.com/\\x7f\": net/url: invalid control"
                                        + " character in URL"));
    }

    @Test
    void readsQueries() {
        assertThat(query("/p?k1=a&k2=b&k2=c"))
                .isEqualTo(Map.of("k1", List.of("a"), "k2", List.of("b", "c")));
        assertThat(query("/p?a+b=c+d&e%20f=%C3%A4"))
                .isEqualTo(Map.of("a b", List.of("c d"), "e f", List.of("ä")));
        assertThat(query("/p?")).isEqualTo(Map.of());
        assertThat(query("/p")).isEqualTo(Map.of());
        assertThat(query("/p?a&=b&&c;d=e&%zz=1"))
                .isEqualTo(Map.of("a", List.of(""), "", List.of("b")));
        assertThat(query("/p?a=1#b=2")).isEqualTo(Map.of("a", List.of("1")));
    }

    private static Object query(String text) {
        return call("url_get_query", call("string_to_url", text));
    }

    @Test
    void equalsByParts() {
        var url = call("string_to_url", "HTTPS://example.com/a%20b?q#f");
        assertThat(CelValues.equal(url, call("string_to_url", "https://example.com/a%20b?q#f")))
                .isEqualTo(true);
        assertThat(CelValues.equal(url, call("string_to_url", "https://example.com/a%20b?q#g")))
                .isEqualTo(false);
        assertThat(CelValues.equal(url, "x")).isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void readingCostsATenthOfTheLength() {
        assertThat(charge("string_to_url", "https:://kubernetes.io/")).isEqualTo(3);
        assertThat(charge("is_url_string", "https:://kubernetes.io/")).isEqualTo(1);
        assertThat(charge("url_get_host", call("string_to_url", "/a"))).isEqualTo(1);
        assertThat(estimate("string_to_url", text(23)))
                .isEqualTo(CallEstimate.of(CostRange.exactly(3), SizeRange.exactly(23)));
        assertThat(estimate("is_url_string", text(23)).cost()).isEqualTo(CostRange.ONE);
    }
}
