package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.YamlReader;
import dev.berth.model.json.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Any text is YAML that survives a round trip as YAML and as JSON, or malformed.
public final class YamlFuzz {

    private YamlFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var trees = Trees.of(YamlReader.read(new String(input, StandardCharsets.UTF_8)));
        for (var tree : trees) {
            Trees.surviveJson(tree);
            Trees.convertNumbers(tree);
            var written = YamlWriter.write(tree);
            assertThat(Trees.of(YamlReader.read(written))).as("%s", written).containsExactly(tree);
        }
        var all = YamlWriter.writeAll(trees);
        assertThat(Trees.of(YamlReader.read(all))).as("%s", all).isEqualTo(List.copyOf(trees));
    }
}
