package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.dynamic;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CostRange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatLibraryTest {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

    private static Object validate(String format, String text) {
        return call("format-validate", call("format." + format), text);
    }

    @ParameterizedTest
    @CsvSource({
        "dns1123Label, my-label-name",
        "dns1123Label, 0",
        "dns1123Subdomain, apiextensions.k8s.io",
        "dns1035Label, my-label-name",
        "qualifiedName, apiextensions.k8s.io/v1beta1",
        "qualifiedName, A_b.c",
        "dns1123LabelPrefix, my-label-prefix-",
        "dns1123SubdomainPrefix, mysubdomain.prefix-",
        "dns1035LabelPrefix, my-label-prefix-",
        "labelValue, ''",
        "labelValue, A_b.c",
        "uri, http://example.com",
        "uri, /path",
        "uuid, 123e4567-e89b-12d3-a456-426614174000",
        "uuid, 123E4567E89B12D3A456426614174000",
        "byte, aGVsbG8=",
        "byte, aGVsbA==",
        "byte, aGVs",
        "date, 2021-02-28",
        "date, 2024-02-29",
        "datetime, 2021-01-01T00:00:00Z",
        "datetime, 2021-01-01t23:59:59.123+01:00"
    })
    void validTextsHaveNoProblems(String format, String text) {
        assertThat(validate(format, text)).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dns1123Label|a.b|must not contain dots",
                "uuid|123|does not match the UUID format",
                "byte|''|invalid base64",
                "byte|aGVsbG8|invalid base64",
                "byte|a=Vs|invalid base64",
                "byte|a===|invalid base64",
                "date|2021-02-29|invalid date",
                "date|2021-1-1|invalid date",
                "date|2021-13-01|invalid date",
                "datetime|2021-01-01|invalid datetime",
                "datetime|2021-01-01T24:00:00Z|invalid datetime",
                "datetime|2021-01-01T00:00:60Z|invalid datetime",
                "datetime|2021-01-01T00:00:00|invalid datetime",
                "uri|../relative|parse \"../relative\": invalid URI for request"
            })
    void invalidTextsHaveOneProblem(String format, String text, String problem) {
        assertThat(validate(format, text)).isEqualTo(Optional.of(List.of(problem)));
    }

    @Test
    void nameErrorsEqualKubernetes() {
        assertProblems(
                "dns1123Label",
                "-A".repeat(32),
                "must be no more than 63 characters",
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                        + " '-', and must start and end with an alphanumeric character"
                        + " (e.g. 'my-name', '123-abc'; regex: '"
                        + LABEL
                        + "')");
        assertProblems(
                "dns1123Subdomain",
                "a..b",
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                        + " characters, '-' or '.', and must start and end with an alphanumeric"
                        + " character (e.g. 'example.com'; regex: '"
                        + "%s(\\.%s)*')".formatted(LABEL, LABEL));
        assertProblems(
                "dns1035Label",
                "1a",
                "a DNS-1035 label must consist of lower case alphanumeric characters or '-',"
                        + " start with an alphabetic character, and end with an alphanumeric"
                        + " character (e.g. 'my-name', 'abc-123'; regex:"
                        + " '[a-z]([-a-z0-9]*[a-z0-9])?')");
        assertProblems(
                "labelValue",
                "-",
                "a valid label must be an empty string or consist of alphanumeric characters,"
                        + " '-', '_' or '.', and must start and end with an alphanumeric"
                        + " character (e.g. 'MyValue', 'my_value', '12345'; regex: '("
                        + KEY
                        + ")?')");
        assertThat(validate("dns1035Label", "")).isNotEqualTo(Optional.empty());
    }

    @Test
    void qualifiedNamesHaveTwoParts() {
        var rule =
                "must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
                        + " with an alphanumeric character"
                        + " (e.g. 'MyName', 'my.name', '123-abc'; regex: '"
                        + KEY
                        + "')";
        assertProblems(
                "qualifiedName",
                "/",
                "prefix part must be non-empty",
                "name part must be non-empty",
                "name part " + rule);
        assertProblems(
                "qualifiedName",
                "a/b/c",
                "a valid label key "
                        + rule
                        + " with an optional DNS subdomain prefix and '/'"
                        + " (e.g. 'example.com/MyName')");
    }

    private static void assertProblems(String format, String text, String... problems) {
        assertThat(validate(format, text)).isEqualTo(Optional.of(List.of(problems)));
    }

    @Test
    void findsFormatsByName() {
        assertThat(call("format-named", "uri")).isEqualTo(Optional.of(NamedFormat.URI));
        assertThat(call("format-named", "dns1123subdomain")).isEqualTo(Optional.empty());
        assertThat(call("format-validate", "uri", "x")).isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void checkingCostsAsMuchAsARegularExpression() {
        assertThat(charge("format-named", "uri")).isEqualTo(1);
        assertThat(charge("format-validate", NamedFormat.DNS1123_SUBDOMAIN, "my-name"))
                .isEqualTo(15);
        assertThat(charge("format-validate", NamedFormat.DNS1123_LABEL, "my-name")).isEqualTo(8);
        assertThat(charge("format-validate", NamedFormat.LABEL_VALUE, "0123456789")).isEqualTo(20);
        assertThat(estimate("format-validate", dynamic(1), text(7)).cost())
                .isEqualTo(CostRange.exactly(32));
    }
}
