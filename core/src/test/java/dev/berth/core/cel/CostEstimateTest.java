package dev.berth.core.cel;

import static dev.berth.core.cel.Compilers.STORED;
import static dev.berth.core.cel.Compilers.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Worst-case cost estimates. The expected numbers are computed by hand from the rules: 1 per step,
/// 0.1 per character, and so on.
class CostEstimateTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    2   | has(device.attributes.vendor)
                    3   | has(device.attributes["gpu"].uuid)
                    7   | has(device.attributes["gpu"].ecc) && device.attributes["gpu"].ecc
                    4   | "memory" in device.capacity["gpu"]
                    4   | device.attributes["gpu"].a.b.c.d
                    5   | device.attributes["gpu"]["numa"] < 2
                    5   | device.attributes["gpu"].?ecc.orValue(true)
                    5   | device.attributes["gpu"].model < "b"
                    15  | device.attributes["gpu"].model == device.attributes["gpu"].family
                    6   | device.attributes["gpu"].lanes[0] == 8
                    2   | device == device
                    """)
    void costOfDeviceFields(long cost, String expression) {
        assertThat(cost(expression)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    3   | device.driver.startsWith("gpu.")
                    4   | device.driver.endsWith("example.com")
                    9   | device.driver.contains("nvidia")
                    16  | device.driver.matches("^gpu[.]")
                    3   | matches(device.driver, "^gpu[.]")
                    10  | device.driver + "/x" == "gpu/x"
                    4   | size(device.driver) > 3
                    3   | device.driver < "b"
                    11  | bytes(device.driver).size() > 3
                    4   | dyn(device.driver) == "abc"
                    2   | string(7) == "7"
                    1   | "grün" == "gruen"
                    2   | "elf lang ..." == "elf lang ..."
                    """)
    void costOfStrings(long cost, String expression) {
        assertThat(cost(expression)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    15  | device.driver in ["a", "b", "c"]
                    20  | [] == []
                    32  | {"a": 1}["a"] == 1
                    15  | ["abcdefghijklm"][0] == device.driver
                    23  | ([1, 2] + [3])[0] == 1
                    3   | true ? device.driver == "a" : false
                    4   | device.driver.size() > 1 && false
                    """)
    void costOfLiteralsAndConditionals(long cost, String expression) {
        assertThat(cost(expression)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    163 | device.attributes.all(domain, domain.startsWith("x"))
                    196 | device.attributes["gpu"].exists(id, value, value == 1)
                    133 | device.attributes["gpu"].existsOne(id, value, value == 1)
                    901 | device.attributes["gpu"].names.exists(n, n == device.driver)
                    51  | [1, 2].map(x, x * 2).size() == 2
                    53  | [1, 2].filter(x, x > 1).size() == 1
                    53  | [1, 2].transformList(i, v, i + v).size() == 2
                    97  | {"a": 1}.transformMap(k, v, v + 1) == {"a": 2}
                    21  | cel.bind(d, device.driver, d == d)
                    24  | device.attributes["gpu"].?n.optMap(n, n > 1).orValue(false)
                    """)
    void costOfComprehensionsAndBindings(long cost, String expression) {
        assertThat(cost(expression)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    6                   | device.capacity["gpu"].mem == quantity("1Gi")
                    5                   | device.capacity["gpu"]["mem"] != quantity("1Gi")
                    1844674407370955269 | device.capacity["gpu"].mem != quantity("1Gi")
                    3                   | semver("1.0.0") == semver("1.0.1")
                    3                   | sign(quantity("1")) == 1
                    4                   | quantity("1").add(2).asInteger() == 3
                    """)
    void costOfComparingKubernetesTypes(long cost, String expression) {
        assertThat(cost(expression)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    10   | device.driver.lowerAscii() == "a"
                    16   | device.driver.substring(1, 3).matches("a+")
                    35   | device.driver.replace("", "bb").contains("x")
                    17   | device.driver.split(".", 2)[0] == "x"
                    402  | device.attributes["gpu"].model.split(".").exists(p, p == "a")
                    12   | "%d".format([1]) == "1"
                    91   | [3, 1].sortBy(x, -x) == [1, 3]
                    8627 | device.attributes["gpu"].lanes.sort() == []
                    12   | device.attributes["gpu"].lanes.sum() == 3
                    23   | sets.contains([1, 2], [1])
                    6    | url("https://a.b/c") == url("https://a.b/c")
                    7    | ip("2001:db8:3333:4444:5555:6666:7777:8888") == ip("192.168.0.1")
                    11   | cidr("192.168.0.0/16").containsCIDR("192.0.0.0/30")
                    9    | format.uuid() == format.date()
                    65   | device.driver.includes("x")
                    """)
    void costOfLibraryCalls(long cost, String expression) {
        assertThat(cost(expression)).isEqualTo(cost);
    }

    @Test
    void nestedLoopsMultiply() {
        var ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
        var nested = ten + ".all(a, " + ten + ".all(b, a + b < 100))";
        // Inside: accumulator and its test 2, then 1 + a 1 + b 1 + sum 1 + comparison 1.
        var inner = 10 + 10 * 7 + 1;
        assertThat(cost(nested)).isEqualTo(10 + 10 * (3 + inner) + 1);
    }

    @Test
    void unboundedInputHasUnboundedCost() {
        var unbounded = "device.attributes['a'].x.map(y, y).all(z, z.w.all(v, v.u.all(t, true)))";
        assertThat(cost(unbounded)).isEqualTo(Long.MAX_VALUE);
    }

    private static long cost(String expression) {
        return compiled(STORED.compileSelector(expression)).worstCaseCost();
    }
}
