package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.server.load.HostileRequests.Hostile;
import java.util.List;
import java.util.Random;

/// Small texts that expand to large values.
final class HostileTexts {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String YAML = "Content-Type: application/yaml\r\n";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String HULLS = "/apis/example.com/v1/namespaces/default/hulls";

    private final Random random;

    HostileTexts(Random random) {
        this.random = random;
    }

    Hostile request(String path) {
        return switch (random.nextInt(9)) {
            case 0 -> HostileRequests.plain("deep", "POST", path, JSON, deep());
            case 1 -> HostileRequests.plain("deep YAML", "POST", path, YAML, deepYaml());
            case 2 -> HostileRequests.plain("alias bomb", "POST", path, YAML, aliases());
            case 3 -> HostileRequests.plain("alias text", "POST", HULLS, YAML, aliasedText());
            case 4 -> HostileRequests.plain("merge keys", "POST", CONFIG_MAPS, YAML, mergeKeys());
            case 5 -> HostileRequests.plain("numbers", "POST", path, JSON, numbers());
            case 6 -> HostileRequests.plain("names", "POST", path, JSON, names());
            case 7 -> HostileRequests.plain("UTF-8", "POST", path, JSON, brokenCharacters());
            default -> HostileRequests.plain("documents", "POST", path, YAML, documents());
        };
    }

    private byte[] deep() {
        var depth = random.nextInt(150, 60_000);
        var open = random.nextBoolean() ? "[" : "{\"a\":";
        return ("{\"metadata\":{\"name\":\"d\"},\"spec\":" + open.repeat(depth)).getBytes(UTF_8);
    }

    private byte[] deepYaml() {
        var depth = random.nextInt(150, 5_000);
        return ("spec: " + (random.nextBoolean() ? "[" : "{a: ").repeat(depth)).getBytes(UTF_8);
    }

    private byte[] aliases() {
        var text =
                new StringBuilder("metadata: {name: bomb}\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        var width = random.nextInt(2, 10);
        for (var level = 1; level < random.nextInt(3, 60); level++) {
            text.append("a%d: &a%d [".formatted(level, level))
                    .append(("*a" + (level - 1) + ", ").repeat(width))
                    .append("]\n");
        }
        return text.append("spec: *a2\ndata: {a: *a1}\n").toString().getBytes(UTF_8);
    }

    /// A long text with many aliases.
    private byte[] aliasedText() {
        var text =
                new StringBuilder("apiVersion: example.com/v1\nkind: Hull\nmetadata: {name: t")
                        .append(random.nextInt(1_000))
                        .append("}\nspec:\n  free: &t ")
                        .append("y".repeat(100_000))
                        .append("\n  more: [");
        return text.repeat("*t, ", random.nextInt(100, 20_000))
                .append("]\n")
                .toString()
                .getBytes(UTF_8);
    }

    private byte[] mergeKeys() {
        var text = new StringBuilder("metadata: {name: m}\nb0: &b0 {k: v}\n");
        for (var level = 1; level < random.nextInt(2, 30); level++) {
            text.append(
                    "b%d: &b%d {<<: [*b%d, *b%d], k%d: *b%d}\n"
                            .formatted(level, level, level - 1, level - 1, level, level - 1));
        }
        return text.append("data:\n  <<: *b1\n").toString().getBytes(UTF_8);
    }

    private byte[] numbers() {
        var number =
                HostileValues.pick(
                        List.of(
                                "1" + "0".repeat(random.nextInt(1, 100_000)),
                                "1e" + "9".repeat(random.nextInt(1, 500)),
                                "-0.0",
                                "01",
                                "+1",
                                ".5",
                                "NaN",
                                "0x10",
                                "1e",
                                "--1"),
                        random);
        return ("{\"metadata\":{\"name\":\"n\",\"generation\":"
                        + number
                        + "},\"spec\":{\"replicas\":"
                        + number
                        + ",\"value\":"
                        + number
                        + "},\"value\":"
                        + number
                        + "}")
                .getBytes(UTF_8);
    }

    private byte[] names() {
        var text = new StringBuilder("{\"metadata\":{\"name\":\"k\",\"annotations\":{");
        var many = random.nextInt(1, 5_000);
        for (var i = 0; i < many; i++) {
            // These all have the same hash code.
            for (var bit = 0; bit < 13; bit++) {
                text.append(bit == 0 ? "\"" : "").append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            text.append("\":\"v\",");
        }
        return text.append("\"")
                .append("z".repeat(random.nextInt(60_000)))
                .append("\":\"v\"}}}")
                .toString()
                .getBytes(UTF_8);
    }

    private byte[] brokenCharacters() {
        var bytes =
                "{\"metadata\":{\"name\":\"utf-____-8\"},\"data\":{\"k\":\"____\"}}"
                        .getBytes(UTF_8);
        for (var i = 0; i < bytes.length; i++) {
            if (bytes[i] == '_') {
                bytes[i] = (byte) (0x80 + random.nextInt(0x80));
            }
        }
        return bytes;
    }

    private byte[] documents() {
        return ("---\nmetadata: {name: d}\n".repeat(random.nextInt(1, 2_000))
                        + "--- !!python/object:os.system\n? [a]\n: b\n")
                .getBytes(UTF_8);
    }

    /// JSON patch operations that double a value, move it into itself, or use invalid paths.
    byte[] jsonPatch() {
        var text =
                new StringBuilder("[{\"op\":\"add\",\"path\":\"/metadata/annotations\",")
                        .append("\"value\":{\"a\":\"")
                        .append("b".repeat(random.nextInt(2_000)))
                        .append("\"}}");
        var steps = random.nextInt(1, 200);
        for (var at = 0; at < steps; at++) {
            text.append(',')
                    .append(
                            switch (random.nextInt(7)) {
                                case 0, 1, 2 ->
                                        copy(
                                                "/metadata/annotations",
                                                "/metadata/annotations/k" + at);
                                case 3 -> copy("", "/spec/x" + at);
                                case 4 -> move("/metadata", "/metadata/x");
                                case 5 -> step("test", "/~2/-/99999999999999999999", "1");
                                default -> step("replace", "/metadata/name", "{}");
                            });
            if (random.nextInt(30) == 0) {
                text.append(",{\"op\":7}");
            }
        }
        return text.append(']').toString().getBytes(UTF_8);
    }

    private static String copy(String from, String to) {
        return "{\"op\":\"copy\",\"from\":\"%s\",\"path\":\"%s\"}".formatted(from, to);
    }

    private static String move(String from, String to) {
        return "{\"op\":\"move\",\"from\":\"%s\",\"path\":\"%s\"}".formatted(from, to);
    }

    private static String step(String operation, String path, String value) {
        return "{\"op\":\"%s\",\"path\":\"%s\",\"value\":%s}".formatted(operation, path, value);
    }
}
