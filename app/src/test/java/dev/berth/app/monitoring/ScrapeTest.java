package dev.berth.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.MetricsServer;
import dev.berth.server.auth.ServerTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The metrics of each program after a pod with a claim was scheduled.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScrapeTest {

    private static final String CLUSTER =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: a, labels: {kubernetes.io/hostname: a}}
            status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.example.com}
            spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: a-gpu}
            spec:
              driver: gpu.example.com
              nodeName: a
              pool: {name: a, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}, {name: gpu-1}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: pair}
            spec:
              spec:
                devices:
                  requests:
                  - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
            """;

    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s}
            spec:
              schedulerName: berth
              resourceClaims: [{name: gpu, resourceClaimTemplateName: pair}]
              containers:
              - {name: c, image: i, resources: {claims: [{name: gpu}]}}
            """;

    private final Logger logger = Logger.getLogger("dev.berth.control.schedule.SchedulerObserver");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    lines.add(new SimpleFormatter().formatMessage(record));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    private MeasuredPrograms programs;

    @BeforeAll
    void scheduleAPod(@TempDir Path directory) throws Exception {
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        programs = new MeasuredPrograms(directory);
        programs.create(CLUSTER);
        programs.create(POD.formatted("train"));
        programs.awaitBound("train");
        programs.create(POD.formatted("pending"));
        while (!isSettled(parsed(programs.ofScheduler))) {
            Thread.sleep(10);
        }
    }

    private static boolean isSettled(ExposedText text) {
        return text.sum("scheduler_pending_pods", "queue=unschedulable") > 0
                && text.sum("scheduler_schedule_attempts_total", "result=scheduled") > 0;
    }

    @AfterAll
    void stop() {
        logger.removeHandler(handler);
        logger.setLevel(null);
        programs.close();
    }

    private static ExposedText parsed(MetricsRegistry registry) {
        return ExposedText.parse(new String(registry.expose("").bytes(), StandardCharsets.UTF_8));
    }

    private HttpResponse<String> get(String user, List<String> groups, String accept)
            throws Exception {
        var authority = programs.server.authority();
        var tls = ServerTls.context(authority, authority.issueClient(user, groups));
        try (var http = HttpClient.newBuilder().sslContext(tls).build()) {
            return http.send(
                    HttpRequest.newBuilder(programs.server.uri().resolve("/metrics"))
                            .header("Accept", accept)
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void theServerCountsRequestsByVerbAndResource() throws Exception {
        var response = get("admin", List.of("system:masters"), "*/*");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/plain; version=0.0.4");
        var text = ExposedText.parse(response.body());
        assertThat(text.sum("apiserver_request_total", "resource=pods, scope=resource"))
                .isGreaterThanOrEqualTo(2);
        assertThat(
                        text.values().keySet().stream()
                                .filter(one -> one.startsWith("apiserver_request_total{"))
                                .filter(one -> one.contains("code=201"))
                                .filter(one -> one.contains("verb=POST"))
                                .anyMatch(one -> one.contains("resource=resourceclaims")))
                .isTrue();
        assertThat(text.sum("apiserver_request_duration_seconds_count", "verb=POST"))
                .isGreaterThanOrEqualTo(5);
        assertThat(text.sum("apiserver_longrunning_requests", "verb=WATCH"))
                .isGreaterThanOrEqualTo(8);
        assertThat(text.sum("apiserver_current_inflight_requests", "request_kind=readOnly"))
                .isBetween(1.0, 100.0);
        assertThat(text.values().get("process_cpu_seconds_total{}")).isPositive();
    }

    @Test
    void theServerNegotiatesOpenMetrics() throws Exception {
        var response =
                get(
                        "prometheus",
                        List.of("system:monitoring"),
                        "application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1");
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
                .startsWith("application/openmetrics-text");
        assertThat(response.body()).endsWith("# EOF\n");
        assertThat(ExposedText.parse(response.body()).values()).isNotEmpty();
    }

    @Test
    void otherUsersAreForbidden() throws Exception {
        var response = get("stranger", List.of(), "*/*");
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).doesNotContain("apiserver_request_total");
    }

    @Test
    void theSchedulerCountsAttemptsAndPendingPods() {
        var text = parsed(programs.ofScheduler);
        assertThat(text.sum("scheduler_schedule_attempts_total", "result=scheduled")).isEqualTo(1);
        assertThat(text.sum("scheduler_schedule_attempts_total", "result=unschedulable"))
                .isGreaterThanOrEqualTo(1);
        assertThat(text.sum("scheduler_schedule_attempts_total", "result=error")).isZero();
        assertThat(text.sum("scheduler_pending_pods", "queue=unschedulable")).isEqualTo(1);
        var attempt = "scheduler_scheduling_attempt_duration_seconds";
        assertThat(text.sum(attempt + "_count", "result=scheduled")).isEqualTo(1);
        assertThat(text.sum(attempt + "_sum", "result=scheduled")).isBetween(1e-6, 30.0);
        var sli = "scheduler_pod_scheduling_sli_duration_seconds";
        assertThat(text.sum(sli + "_count", "attempts=")).isEqualTo(1);
        assertThat(text.sum(sli + "_sum", "attempts=")).isBetween(1e-6, 30.0);
        assertThat(text.sum("scheduler_queue_incoming_pods_total", "queue=active"))
                .isGreaterThanOrEqualTo(2);
        assertThat(
                        text.sum(
                                "scheduler_plugin_execution_duration_seconds_count",
                                "plugin=DynamicResources"))
                .isGreaterThanOrEqualTo(1);
        assertThat(text.sum("berth_allocator_searches_total", "kind=search"))
                .isGreaterThanOrEqualTo(1);
        assertThat(text.values().get("berth_allocator_search_steps_total{}"))
                .isGreaterThanOrEqualTo(3);
        assertThat(text.sum("berth_allocator_proofs_total", "scope=request"))
                .isGreaterThanOrEqualTo(1);
        assertThat(text.sum("rest_client_requests_total", "code=201, host=127.0.0.1"))
                .isGreaterThanOrEqualTo(1);
        assertThat(text.sum("rest_client_request_duration_seconds_count", "verb=GET"))
                .isGreaterThanOrEqualTo(8);
    }

    @Test
    void theSchedulerLogsEachStepOfAPod() {
        assertThat(lines)
                .containsSubsequence(
                        "pod default/train queued: active queue, PodUpdate",
                        "pod default/train decided: node a, 1 claims to allocate",
                        "pod default/train written: 1 claims",
                        "pod default/train bound: node a, attempt 1")
                .anyMatch(line ->
                        line.startsWith("pod default/pending decided: unschedulable: 0/1 nodes"));
    }

    @Test
    void controllersCountKeysAndClaims() {
        var text = parsed(programs.ofControllers);
        assertThat(text.sum("workqueue_adds_total", "name=resourceclaim"))
                .isGreaterThanOrEqualTo(2);
        assertThat(text.sum("workqueue_work_duration_seconds_count", "name=resourceclaim"))
                .isGreaterThanOrEqualTo(2);
        assertThat(text.sum("workqueue_queue_duration_seconds_sum", "name=resourceclaim"))
                .isBetween(0.0, 60.0);
        var creates = "dynamic_resource_allocation_resourceclaim_creates_total";
        assertThat(text.sum(creates, "owner_api_kind=Pod, status=success")).isEqualTo(2);
        var claims = "dynamic_resource_allocation_resource_claims";
        assertThat(text.sum(claims, "allocated=true, source=resource_claim_template")).isEqualTo(1);
        assertThat(text.sum(claims, "allocated=false")).isEqualTo(1);
        assertThat(text.sum("rest_client_requests_total", "method=POST")).isPositive();
    }

    @Test
    void theAddressOfAProgramServesItsRegistry() throws Exception {
        try (var server = MetricsServer.start(programs.ofScheduler, 0);
                var http = HttpClient.newHttpClient()) {
            URI uri = server.uri();
            var response = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertThat(ExposedText.parse(response.body()).values())
                    .containsKey("scheduler_pending_pods{queue=gated}");
        }
    }
}
