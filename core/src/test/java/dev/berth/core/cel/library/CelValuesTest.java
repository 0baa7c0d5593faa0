package dev.berth.core.cel.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CelValuesTest {

    private static final UInt MAX_UINT = new UInt(-1);

    static List<Arguments> equalPairs() {
        return List.of(
                Arguments.of(1L, new UInt(1)),
                Arguments.of(1L, 1.0),
                Arguments.of(new UInt(1), 1.0),
                Arguments.of(0.0, -0.0),
                Arguments.of(MAX_UINT, 0x1p64),
                Arguments.of(Long.MAX_VALUE, 0x1p63),
                Arguments.of("ä", "ä"),
                Arguments.of(CelBytes.utf8("x"), CelBytes.utf8("x")),
                Arguments.of(NullValue.NULL, NullValue.NULL),
                Arguments.of(List.of(1L, "a"), List.of(1.0, "a")),
                Arguments.of(Map.of(1L, "a"), Map.of(new UInt(1), "a")),
                Arguments.of(Optional.of(1L), Optional.of(1.0)),
                Arguments.of(Optional.empty(), Optional.empty()),
                Arguments.of(Duration.ofSeconds(60), Duration.ofMinutes(1)),
                Arguments.of(Quantity.parse("1Ki"), Quantity.parse("1024")),
                Arguments.of(Semver.parse("1.0.0+a"), Semver.parse("1.0.0+b")),
                Arguments.of(Ip.parse("::1"), Ip.parse("0:0::1")),
                Arguments.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("10.0.0.0/8")),
                Arguments.of(NamedFormat.URI, NamedFormat.URI));
    }

    @ParameterizedTest
    @MethodSource("equalPairs")
    void equalValuesAreEqualBothWays(Object a, Object b) {
        assertThat(CelValues.equal(a, b)).isEqualTo(true);
        assertThat(CelValues.equal(b, a)).isEqualTo(true);
    }

    static List<Arguments> differentPairs() {
        return List.of(
                Arguments.of(1L, "1"),
                Arguments.of(1L, true),
                Arguments.of(-1L, MAX_UINT),
                Arguments.of(-1.0, MAX_UINT),
                Arguments.of(Double.NaN, Double.NaN),
                Arguments.of(Double.NaN, 1L),
                Arguments.of(1L, 1.5),
                Arguments.of("a", CelBytes.utf8("a")),
                Arguments.of(NullValue.NULL, 0L),
                Arguments.of(NullValue.NULL, Semver.parse("1.0.0")),
                Arguments.of(List.of(1L), List.of(1L, 2L)),
                Arguments.of(List.of(1L), List.of(2L)),
                Arguments.of(Map.of("a", 1L), Map.of("b", 1L)),
                Arguments.of(Map.of("a", 1L), Map.of("a", 2L)),
                Arguments.of(Optional.of(1L), Optional.empty()),
                Arguments.of(Optional.of(1L), 1L),
                Arguments.of(Ip.parse("::1"), Ip.parse("::2")),
                Arguments.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("10.0.0.0/9")));
    }

    @ParameterizedTest
    @MethodSource("differentPairs")
    void differentValuesAreDifferentBothWays(Object a, Object b) {
        assertThat(CelValues.equal(a, b)).isEqualTo(false);
        assertThat(CelValues.equal(b, a)).isEqualTo(false);
    }

    @Test
    void kubernetesTypesCannotBeComparedWithOthers() {
        var version = Semver.parse("1.0.0");
        assertThat(CelValues.equal(version, "1.0.0")).isEqualTo(CelError.noSuchOverload());
        assertThat(CelValues.equal("1.0.0", version)).isEqualTo(false);
        assertThat(CelValues.equal(Quantity.of(1), 1L)).isEqualTo(CelError.noSuchOverload());
        assertThat(CelValues.equal(Ip.parse("::1"), "::1")).isEqualTo(CelError.noSuchOverload());
        assertThat(CelValues.isEqual(version, "1.0.0")).isFalse();
    }

    @Test
    void errorsDoNotCountAsDifferentInsideContainers() {
        var version = Semver.parse("1.0.0");
        assertThat(CelValues.equal(List.of(version), List.of("x"))).isEqualTo(true);
        assertThat(CelValues.equal(Map.of("k", version), Map.of("k", "x"))).isEqualTo(true);
    }

    static List<Arguments> ascending() {
        return List.of(
                Arguments.of(1L, 2L),
                Arguments.of(-1L, MAX_UINT),
                Arguments.of(1L, 1.5),
                Arguments.of(new UInt(Long.MAX_VALUE), MAX_UINT),
                Arguments.of(Double.NEGATIVE_INFINITY, Long.MIN_VALUE),
                Arguments.of(MAX_UINT, Double.POSITIVE_INFINITY),
                Arguments.of(-0.5, new UInt(0)),
                Arguments.of(false, true),
                Arguments.of("a", "b"),
                Arguments.of("a", "aa"),
                Arguments.of("\uffff", "\ud800\udc00"),
                Arguments.of("\ud83d\ude00a", "\ud83d\ude00b"),
                Arguments.of(CelBytes.of(new byte[] {1}), CelBytes.of(new byte[] {-1})),
                Arguments.of(Duration.ofNanos(1), Duration.ofSeconds(1)),
                Arguments.of(Instant.EPOCH, Instant.EPOCH.plusNanos(1)));
    }

    @ParameterizedTest
    @MethodSource("ascending")
    void comparesAcrossNumbersAndByCodePoint(Object smaller, Object larger) {
        assertThat(CelValues.compare(smaller, larger)).isEqualTo(-1L);
        assertThat(CelValues.compare(larger, smaller)).isEqualTo(1L);
        assertThat(CelValues.compare(smaller, smaller)).isEqualTo(0L);
    }

    @Test
    void incomparableTypesAreErrors() {
        assertThat(CelValues.compare(1L, "a")).isEqualTo(CelError.noSuchOverload());
        assertThat(CelValues.compare(Quantity.of(1), Quantity.of(2)))
                .isEqualTo(CelError.noSuchOverload());
        assertThat(CelValues.compare(Double.NaN, 1L))
                .isEqualTo(new CelError("NaN values cannot be ordered"));
    }

    @Test
    void findsKeysByNumber() {
        var map = Map.<Object, Object>of(1L, "int", new UInt(2), "uint", MAX_UINT, "max", "1", "s");
        assertThat(CelValues.find(map, 1L)).contains("int");
        assertThat(CelValues.find(map, new UInt(1))).contains("int");
        assertThat(CelValues.find(map, 1.0)).contains("int");
        assertThat(CelValues.find(map, 2L)).contains("uint");
        assertThat(CelValues.find(map, 2.0)).contains("uint");
        assertThat(CelValues.find(map, 1.5)).isEmpty();
        assertThat(CelValues.find(map, Double.NaN)).isEmpty();
        assertThat(CelValues.find(map, -1L)).isEmpty();
        assertThat(CelValues.find(map, "1")).contains("s");
    }

    @Test
    void countsCodePointsBytesAndElements() {
        assertThat(CelValues.sizeOf("a\ud83d\ude00")).isEqualTo(2);
        assertThat(CelValues.sizeOf(CelBytes.utf8("ä"))).isEqualTo(2);
        assertThat(CelValues.sizeOf(List.of(1L, 2L))).isEqualTo(2);
        assertThat(CelValues.sizeOf(Map.of("a", 1L))).isEqualTo(1);
        assertThat(CelValues.sizeOf(Semver.parse("1.0.0"))).isEqualTo(1);
        assertThat(CelValues.sizeOf(Ip.parse("::1"))).isEqualTo(16);
        assertThat(CelValues.sizeOf(Cidr.parse("10.0.0.0/9"))).isEqualTo(2);
    }

    @Test
    void namesTypesAsCelDoes() {
        assertThat(CelValues.typeName(1L)).isEqualTo("int");
        assertThat(CelValues.typeName(UInt.ZERO)).isEqualTo("uint");
        assertThat(CelValues.typeName(NullValue.NULL)).isEqualTo("null_type");
        assertThat(CelValues.typeName(Duration.ZERO)).isEqualTo("google.protobuf.Duration");
        assertThat(CelValues.typeName(Optional.empty())).isEqualTo("optional_type");
        assertThat(CelValues.typeName(Quantity.ZERO)).isEqualTo("kubernetes.Quantity");
        assertThat(CelValues.typeName(Ip.parse("::1"))).isEqualTo("net.IP");
        assertThat(CelValues.typeName(NamedFormat.URI)).isEqualTo("kubernetes.NamedFormat");
    }

    @Test
    void unsignedNumbersTurnIntoTheNearestDouble() {
        assertThat(MAX_UINT.toDouble()).isEqualTo(0x1p64);
        assertThat(new UInt(Long.MIN_VALUE).toDouble()).isEqualTo(0x1p63);
        assertThat(MAX_UINT).hasToString("18446744073709551615");
    }
}
