package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import java.io.ByteArrayInputStream;

/// Any bytes decode to an object that survives a round trip, or are rejected with a reason.
public final class CodecFuzz {

    private static final Codec CODEC = new Codec();

    private CodecFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        for (var kind : Kinds.all()) {
            for (var version : kind.versions()) {
                read(kind, version, input);
            }
            explained(
                    CODEC.readList(
                            kind,
                            kind.version(),
                            new ByteArrayInputStream(input),
                            UnknownFieldPolicy.LENIENT,
                            CodecFuzz::explained));
            explained(CODEC.readEvent(kind, kind.version(), input, UnknownFieldPolicy.LENIENT));
        }
        for (var tree : Trees.of(JsonReader.read(input))) {
            if (tree instanceof JsonObject object) {
                explained(CODEC.readTree(object, UnknownFieldPolicy.LENIENT));
            }
        }
    }

    private static <T extends KubernetesObject> void read(
            Kind<T> kind, String version, byte[] input) {
        var strict = CODEC.readJson(kind, version, input, UnknownFieldPolicy.STRICT);
        var lenient = CODEC.readJson(kind, version, input, UnknownFieldPolicy.LENIENT);
        explained(strict);
        explained(lenient);
        if (strict instanceof Decoded.Read<T>) {
            assertThat(lenient).isEqualTo(strict);
        }
        if (lenient instanceof Decoded.Read<T>(var object, _)) {
            survivesWriting(kind, object);
        }
    }

    /// Decodes leniently, since unions keep unknown members.
    private static <T extends KubernetesObject> void survivesWriting(Kind<T> kind, T object) {
        var written = CODEC.toJson(kind, object);
        var tree = CODEC.toTree(kind, object);
        assertThat(
                        CODEC.readJson(kind, kind.version(), written, UnknownFieldPolicy.LENIENT)
                                .orThrow())
                .as("%s", kind)
                .isEqualTo(object);
        assertThat(CODEC.readTree(kind, tree, UnknownFieldPolicy.LENIENT).orThrow())
                .as("%s", kind)
                .isEqualTo(object);
    }

    private static void explained(Decoded<?> decoded) {
        if (decoded instanceof Decoded.Refused<?> refused) {
            assertThat(refused.problems()).isNotEmpty();
            assertThat(refused.message()).isNotEmpty();
        }
    }
}
