package dev.berth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// When a connection problem is reported.
class ProblemReportsTest {

    private static final ConnectionProblem REFUSED = new ConnectionProblem("refused", "start it");
    private static final ConnectionProblem UNKNOWN = new ConnectionProblem("unknown", "name it");

    private final List<String> lines = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final ProblemReports reports = new ProblemReports(lines::add, nanos::get);

    @Test
    void theSameProblemIsReportedOnceAMinute() {
        reports.failed(REFUSED);
        nanos.set(ProblemReports.INTERVAL.toNanos() - 1);
        reports.failed(REFUSED);
        assertThat(lines).containsExactly("refused; start it");
        nanos.set(ProblemReports.INTERVAL.toNanos());
        reports.failed(REFUSED);
        assertThat(lines).containsExactly("refused; start it", "refused; start it");
    }

    @Test
    void anotherProblemIsReportedAtOnce() {
        reports.failed(REFUSED);
        reports.failed(UNKNOWN);
        assertThat(lines).containsExactly("refused; start it", "unknown; name it");
    }

    @Test
    void theEndIsReportedOnce() {
        reports.succeeded("https://host");
        reports.failed(REFUSED);
        reports.succeeded("https://host");
        reports.succeeded("https://host");
        assertThat(lines)
                .containsExactly("refused; start it", "the API server at https://host responds");
    }

    @Test
    void aFailureOfOneRequestIsNotReported() {
        reports.failed(new ConnectionProblem("GET /: reset", ""));
        reports.succeeded("https://host");
        assertThat(lines).isEmpty();
    }
}
