package dev.berth.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsRegistryTest {

    private final MetricsRegistry registry = MetricsRegistry.measuring();

    private static String text(MetricsRegistry registry) {
        return new String(registry.expose("").bytes(), StandardCharsets.UTF_8);
    }

    private CounterMetric requests() {
        return registry.counter("requests_total", "Requests.", "verb");
    }

    @Test
    void countersAndHistogramsAreExposedAsPrometheusText() {
        requests().with("GET").add(3);
        registry.histogram("wait_seconds", "Waits.", new double[] {0.5, 1}, "queue")
                .with("a\"b")
                .observeNanos(700_000_000);
        assertThat(registry.expose("text/html").contentType()).startsWith("text/plain");
        assertThat(text(registry))
                .contains(
                        "# HELP requests_total Requests.\n# TYPE requests_total counter\n",
                        "requests_total{verb=\"GET\"} 3.0\n",
                        "wait_seconds_bucket{queue=\"a\\\"b\",le=\"0.5\"} 0\n",
                        "wait_seconds_bucket{queue=\"a\\\"b\",le=\"1.0\"} 1\n",
                        "wait_seconds_bucket{queue=\"a\\\"b\",le=\"+Inf\"} 1\n",
                        "wait_seconds_sum{queue=\"a\\\"b\"} 0.7\n",
                        "wait_seconds_count{queue=\"a\\\"b\"} 1\n");
    }

    @Test
    void openMetricsIsExposedToClientsThatAcceptIt() {
        requests().with("GET").increment();
        var exposition =
                registry.expose("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertThat(exposition.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(exposition.bytes(), StandardCharsets.UTF_8))
                .contains("# TYPE requests counter\n", "requests_total{verb=\"GET\"} 1.0")
                .endsWith("# EOF\n");
    }

    @Test
    void aMetricThatIsRequestedTwiceIsOneMetric() {
        requests().with("GET").increment();
        requests().with("GET").increment();
        assertThat(text(registry)).contains("requests_total{verb=\"GET\"} 2.0\n");
        assertThatThrownBy(() -> registry.counter("requests_total", "Requests.", "code"))
                .hasMessageContaining("is already registered as");
    }

    @Test
    void furtherLabelValuesShareOneSeries() {
        for (var i = 0; i < SeriesMap.MAX_SERIES + 10; i++) {
            requests().with("verb-" + i).increment();
        }
        assertThat(text(registry))
                .contains("requests_total{verb=\"verb-1999\"} 1.0\n")
                .contains("requests_total{verb=\"other\"} 10.0\n")
                .doesNotContain("verb-2000");
    }

    @Test
    void sourcesOfTheSameLabelsAreSummedUntilTheyAreClosed() {
        var depth = registry.gauge("depth", "Depth.", "queue");
        depth.addSource(() -> 2, "a");
        depth.addSource(() -> {
            throw new IllegalStateException("broken");
        });
        var second = depth.addSource(() -> 3, "a");
        assertThat(text(registry)).contains("depth{queue=\"a\"} 5.0\n");
        second.close();
        assertThat(text(registry)).contains("depth{queue=\"a\"} 2.0\n");
    }

    @Test
    void withoutMeasuringOnlyGaugesHaveValues() {
        var off = MetricsRegistry.off();
        off.counter("requests_total", "Requests.").with().increment();
        off.histogram("wait_seconds", "Waits.", new double[] {1}).with().observe(1);
        off.gauge("depth", "Depth.").addSource(() -> 1);
        assertThat(text(off)).contains("depth 1.0\n").doesNotContain("requests", "wait_seconds");
    }

    @Test
    void familiesAreListedBeforeTheyHaveValues() {
        requests();
        registry.gauge("depth", "Depth.");
        assertThat(registry.families())
                .containsExactly(
                        new MetricFamily("depth", MetricFamily.Type.GAUGE, "Depth.", List.of()),
                        new MetricFamily(
                                "requests_total",
                                MetricFamily.Type.COUNTER,
                                "Requests.",
                                List.of("verb")));
    }

    @Test
    void processMetricsAreRegisteredOnce() {
        ProcessMetrics.register(registry);
        ProcessMetrics.register(registry);
        var start =
                text(registry)
                        .lines()
                        .filter(line -> line.startsWith("process_start_time_seconds "))
                        .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[1]))
                        .sum();
        assertThat(start).isBetween(1e9, 3e9);
        assertThat(text(registry))
                .contains("process_cpu_seconds_total ", "process_resident_memory_bytes ");
    }

    @Test
    void bucketsGrowByAFactor() {
        assertThat(Buckets.exponential(1, 2, 4)).containsExactly(1, 2, 4, 8);
        assertThat(Buckets.rounded(Buckets.exponentialRange(0.1, 40, 3), 4))
                .containsExactly(0.1, 2, 40);
    }
}
