package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs the targets of `scripts/fuzz` on seed inputs and mutations of them, without a fuzzer.
class FuzzTargetsTest {

    enum Target {
        JSON(3_000),
        YAML(3_000),
        CODEC(1_500),
        QUANTITY(10_000),
        SEMVER(10_000),
        CEL(1_500),
        ADMISSION(3_000),
        PROTOBUF(3_000);

        private final int mutations;

        Target(int mutations) {
            this.mutations = mutations;
        }

        String folder() {
            return name().toLowerCase(Locale.ROOT);
        }

        void accept(byte[] input) {
            switch (this) {
                case JSON -> JsonFuzz.fuzzerTestOneInput(input);
                case YAML -> YamlFuzz.fuzzerTestOneInput(input);
                case CODEC -> CodecFuzz.fuzzerTestOneInput(input);
                case QUANTITY -> QuantityFuzz.fuzzerTestOneInput(input);
                case SEMVER -> SemverFuzz.fuzzerTestOneInput(input);
                case CEL -> CelFuzz.fuzzerTestOneInput(input);
                case ADMISSION -> AdmissionFuzz.fuzzerTestOneInput(input);
                case PROTOBUF -> ProtobufFuzz.fuzzerTestOneInput(input);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void seedsHoldTheProperties(Target target) {
        for (var seed : Seeds.of(target.folder())) {
            passes(target, seed, "a seed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void mutationsHoldTheProperties(Target target) {
        var seeds = Seeds.of(target.folder());
        for (var seed = 0; seed < target.mutations; seed++) {
            passes(target, new FuzzMutation(seeds, seed).next(), "mutation " + seed);
        }
    }

    private static void passes(Target target, byte[] input, String origin) {
        assertThatCode(() -> target.accept(input))
                .as("%s, %s: %s", target, origin, new String(input, StandardCharsets.UTF_8))
                .doesNotThrowAnyException();
    }
}
