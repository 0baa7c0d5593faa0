package dev.berth.app.monitoring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Samples of a Prometheus or OpenMetrics text. Refuses every line that is not in the format.
///
/// @param values by name and labels, with the labels in order
record ExposedText(Map<String, Double> values) {

    private static final Pattern COMMENT =
            Pattern.compile("# (?:HELP|TYPE|UNIT) [a-zA-Z_:][a-zA-Z0-9_:]* .*|# EOF");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\",?");

    static ExposedText parse(String text) {
        var values = new LinkedHashMap<String, Double>();
        for (var line : text.lines().toList()) {
            if (COMMENT.matcher(line).matches()) {
                continue;
            }
            var sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw new IllegalArgumentException("not a sample: " + line);
            }
            var labels = sample.group(2) == null ? Map.of() : labels(sample.group(2), line);
            var value = sample.group(3).replace("+Inf", "Infinity");
            if (values.put(sample.group(1) + labels, Double.valueOf(value)) != null) {
                throw new IllegalArgumentException("two samples: " + line);
            }
        }
        return new ExposedText(values);
    }

    private static Map<String, String> labels(String text, String line) {
        var labels = new TreeMap<String, String>();
        var matcher = LABEL.matcher(text);
        var end = 0;
        while (end < text.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw new IllegalArgumentException("not labels: " + line);
            }
            labels.put(matcher.group(1), matcher.group(2));
            end = matcher.end();
        }
        return labels;
    }

    /// The sum of all series of a metric whose labels contain a text.
    double sum(String name, String labels) {
        return values.entrySet().stream()
                .filter(one -> one.getKey().startsWith(name + "{"))
                .filter(one -> one.getKey().contains(labels))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
