package dev.berth.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.metrics.MetricFamily;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Queries of the Grafana dashboard and of the alert rules: every metric exists in one of the
/// programs, with the labels that the query uses.
class MonitoringFilesTest {

    private static final Path FILES = Path.of("../deploy/monitoring");

    /// Labels that Prometheus adds to every metric, and the one of histogram buckets.
    private static final Set<String> COMMON_LABELS = Set.of("job", "instance", "le");

    /// A metric with its matchers and range; functions are followed by a parenthesis.
    private static final Pattern SELECTOR =
            Pattern.compile(
                    "\\b([a-z_:][a-z0-9_:]*+)(\\{[^}]*\\})?+(?:\\[[0-9a-z]+\\])?+(?!\\s*\\()");

    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without) \\(([^)]*)\\)");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");

    @TempDir private static Path directory;

    private static final Map<String, MetricFamily> FAMILIES = new HashMap<>();

    @BeforeAll
    static void readFamilies() throws Exception {
        ProgramRegistries.families(directory)
                .values()
                .forEach(list -> list.forEach(one -> FAMILIES.put(one.name(), one)));
    }

    private static JsonObject parsed(ParseResult result) {
        return result instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    @Test
    void everyQueryOfTheDashboardIsAboutExistingMetrics() throws Exception {
        var dashboard =
                parsed(JsonReader.read(Files.readString(FILES.resolve("grafana-dashboard.json"))));
        var queries = new ArrayList<String>();
        for (var panel : dashboard.objects("panels")) {
            panel.objects("targets").forEach(target -> queries.add(target.text("expr")));
        }
        assertThat(queries).hasSizeGreaterThan(25);
        assertThat(queries).allSatisfy(MonitoringFilesTest::check);
    }

    @Test
    void everyAlertIsAboutExistingMetrics() throws Exception {
        var rules =
                parsed(YamlReader.read(Files.readString(FILES.resolve("prometheus-alerts.yaml"))));
        var queries = new ArrayList<String>();
        var names = new HashSet<String>();
        for (var group : rules.objects("groups")) {
            for (var rule : group.objects("rules")) {
                queries.add(rule.text("expr"));
                assertThat(names.add(rule.text("alert"))).as(rule.text("alert")).isTrue();
                assertThat(rule.objectOrEmpty("annotations").text("summary")).isNotEmpty();
                assertThat(rule.objectOrEmpty("labels").text("severity"))
                        .isIn("info", "warning", "critical");
            }
        }
        assertThat(queries).hasSizeGreaterThan(10);
        assertThat(queries).allSatisfy(MonitoringFilesTest::check);
    }

    @Test
    void aQueryAboutAnUnknownMetricOrLabelIsFound() {
        assertThat(problems("rate(scheduler_pending_podz[5m])"))
                .containsExactly("no metric scheduler_pending_podz");
        assertThat(problems("sum by (node) (scheduler_pending_pods{queu=\"active\"})"))
                .containsExactly(
                        "scheduler_pending_pods has no label queu",
                        "scheduler_pending_pods has no label node");
    }

    private static void check(String query) {
        assertThat(query).isNotBlank();
        assertThat(problems(query)).as(query).isEmpty();
    }

    private static List<String> problems(String query) {
        var groupings = new ArrayList<String>();
        var grouping = GROUPING.matcher(query);
        while (grouping.find()) {
            for (var label : grouping.group(1).split(",", -1)) {
                groupings.add(label.strip());
            }
        }
        var problems = new ArrayList<String>();
        var found = 0;
        var selector = SELECTOR.matcher(GROUPING.matcher(query).replaceAll(""));
        while (selector.find()) {
            if (selector.group(1).contains("_")) {
                found++;
                check(selector.group(1), String.valueOf(selector.group(2)), groupings, problems);
            }
        }
        if (found == 0) {
            problems.add("no metric in the query");
        }
        return problems;
    }

    private static void check(
            String name, String matchers, List<String> groupings, List<String> problems) {
        var known = family(name);
        if (known.isEmpty()) {
            problems.add("no metric " + name);
            return;
        }
        var family = known.get();
        var used = new ArrayList<String>();
        var matcher = MATCHER.matcher(TEXT.matcher(matchers).replaceAll(""));
        while (matcher.find()) {
            used.add(matcher.group(1));
        }
        used.addAll(groupings);
        for (var label : used) {
            if (!family.labels().contains(label) && !COMMON_LABELS.contains(label)) {
                problems.add("%s has no label %s".formatted(family.name(), label));
            }
        }
    }

    private static Optional<MetricFamily> family(String name) {
        var histogram = name.replaceFirst("_(bucket|count|sum)$", "");
        return Optional.ofNullable(FAMILIES.get(histogram))
                .filter(one -> one.type() == MetricFamily.Type.HISTOGRAM)
                .or(() -> Optional.ofNullable(FAMILIES.get(name)));
    }
}
