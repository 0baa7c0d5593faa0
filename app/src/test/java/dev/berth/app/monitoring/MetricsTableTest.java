package dev.berth.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.metrics.MetricFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Golden test of the table in docs/monitoring.md, and of the metrics in the dashboard and in the
/// alert rules. `-Dgolden=update` writes the table.
class MetricsTableTest {

    private static final Path PAGE = Path.of("../docs/monitoring.md");
    private static final String BEGIN = "<!-- metrics -->\n";
    private static final String END = "<!-- end of metrics -->\n";

    @TempDir private Path directory;

    @Test
    void theTableHasEveryMetric() throws Exception {
        var page = Files.readString(PAGE);
        var from = page.indexOf(BEGIN) + BEGIN.length();
        var to = page.indexOf(END);
        var table = table(ProgramRegistries.families(directory));
        if ("update".equals(System.getProperty("golden"))) {
            page = page.substring(0, from) + table + page.substring(to);
            Files.writeString(PAGE, page);
            to = page.indexOf(END);
        }
        assertThat(page.substring(from, to)).isEqualTo(table);
    }

    private static String table(Map<String, List<MetricFamily>> byProgram) {
        var families = new TreeMap<String, MetricFamily>();
        var programs = new TreeMap<String, List<String>>();
        byProgram.forEach((program, list) ->
                list.forEach(family -> {
                    var known = families.put(family.name(), family);
                    assertThat(known == null ? family : known).isEqualTo(family);
                    programs.computeIfAbsent(family.name(), _ -> new ArrayList<>()).add(program);
                }));
        var table = new StringBuilder("| metric | type | labels | programs | meaning |\n");
        table.append("|---|---|---|---|---|\n");
        families.forEach((name, family) ->
                table.append(
                        "| `%s` | %s | %s | %s | %s |\n"
                                .formatted(
                                        name,
                                        family.type().name().toLowerCase(Locale.ROOT),
                                        labels(family),
                                        programs(
                                                programs.getOrDefault(name, List.of()),
                                                byProgram.size()),
                                        family.help()
                                                .replace("|", "\\|")
                                                .replace("<", "&lt;")
                                                .replace(">", "&gt;"))));
        return table.toString();
    }

    private static String labels(MetricFamily family) {
        return String.join(", ", family.labels().stream().map(one -> "`" + one + "`").toList());
    }

    private static String programs(List<String> names, int all) {
        return names.size() == all ? "all" : String.join(", ", names);
    }
}
