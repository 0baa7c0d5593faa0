package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Pod Security admission by namespace labels, over HTTP.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodSecurityAdmissionTest {

    private static final String PRIVILEGED =
            """
            {"metadata":{"name":"%s"},"spec":{"hostPID":true,"containers":[{"name":"c",
            "image":"x","securityContext":{"privileged":true}}],
            "volumes":[{"name":"v","hostPath":{"path":"/"}}]}}
            """;
    private static final String SAFE =
            """
            {"metadata":{"name":"%s"},"spec":{"securityContext":{"runAsNonRoot":true,
            "seccompProfile":{"type":"RuntimeDefault"}},"containers":[{"name":"c","image":"x",
            "securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}}
            ]}}
            """;

    private ApiServer server;
    private Http http;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    private Http.Response namespace(String name, String labels) {
        return http.post(
                "/api/v1/namespaces",
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}".formatted(name, labels));
    }

    private static String label(String name, String value) {
        return "\"pod-security.kubernetes.io/%s\":\"%s\"".formatted(name, value);
    }

    private static String pods(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    @Test
    void enforcedLevelRejectsPods() {
        namespace("enforced", label("enforce", "restricted"));

        var response = http.post(pods("enforced"), PRIVILEGED.formatted("x"));
        var accepted = http.post(pods("enforced"), SAFE.formatted("y"));

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .isEqualTo(
                        "pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\": host"
                                + " namespaces (hostPID=true), privileged (container \"c\" must"
                                + " not set securityContext.privileged=true),"
                                + " allowPrivilegeEscalation != false (container \"c\" must set"
                                + " securityContext.allowPrivilegeEscalation=false), unrestricted"
                                + " capabilities (container \"c\" must set"
                                + " securityContext.capabilities.drop=[\"ALL\"]), restricted"
                                + " volume types (volume \"v\" uses restricted volume type"
                                + " \"hostPath\"), runAsNonRoot != true (pod or container \"c\""
                                + " must set securityContext.runAsNonRoot=true), seccompProfile"
                                + " (pod or container \"c\" must set"
                                + " securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                                + " \"Localhost\")");
        assertThat(accepted.code()).isEqualTo(201);
        assertThat(accepted.header("Warning")).isEmpty();
    }

    @Test
    void ephemeralContainersAreEvaluated() {
        namespace("ephemeral", label("enforce", "baseline"));
        http.post(pods("ephemeral"), SAFE.formatted("p"));

        var response =
                http.patch(
                        pods("ephemeral") + "/p/ephemeralcontainers",
                        "merge",
                        """
                        {"spec":{"ephemeralContainers":[{"name":"e","image":"x",
                        "securityContext":{"privileged":true}}]}}
                        """);

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .contains("violates PodSecurity \"baseline:latest\": privileged (container \"e\"");
    }

    @Test
    void warnedLevelAcceptsPodsWithAWarning() {
        namespace("warned", label("warn", "baseline") + "," + label("warn-version", "v1.30"));

        var accepted = http.post(pods("warned"), PRIVILEGED.formatted("x"));

        assertThat(accepted.code()).isEqualTo(201);
        assertThat(accepted.header("Warning"))
                .contains(
                        "would violate PodSecurity \\\"baseline:v1.30\\\": host namespaces"
                                + " (hostPID=true)");
    }

    @Test
    void workloadsAreAcceptedWithAWarning() {
        namespace("workloads", label("enforce", "baseline"));

        var accepted =
                http.post(
                        "/apis/batch/v1/namespaces/workloads/jobs",
                        """
                        {"metadata":{"name":"j"},"spec":{"template":{"spec":{"hostPID":true,
                        "restartPolicy":"Never","containers":[{"name":"c","image":"x"}]}}}}
                        """);

        assertThat(accepted.code()).isEqualTo(201);
        assertThat(accepted.header("Warning"))
                .contains("would violate PodSecurity \\\"baseline:latest\\\": host namespaces");
    }

    @Test
    void newLevelOfANamespaceWarnsOfViolatingPods() {
        namespace("later", "");
        for (var name : new String[] {"a", "b", "c"}) {
            http.post(pods("later"), PRIVILEGED.formatted(name));
        }

        var labelled =
                http.patch(
                        "/api/v1/namespaces/later",
                        "merge",
                        "{\"metadata\":{\"labels\":{%s}}}".formatted(label("enforce", "baseline")));

        assertThat(labelled.code()).isEqualTo(200);
        assertThat(labelled.headers().allValues("Warning"))
                .containsExactly(
                        "299 - \"existing pods in namespace \\\"later\\\" violate the new"
                                + " PodSecurity enforce level \\\"baseline:latest\\\"\"",
                        "299 - \"a (and 2 other pods): host namespaces, hostPath volumes,"
                                + " privileged\"");
    }

    @Test
    void invalidLabelsAreRejected() {
        var response = namespace("wrong", label("enforce", "strict"));

        assertThat(response.code()).isEqualTo(422);
        assertThat(response.json().text("message"))
                .isEqualTo(
                        "Namespace \"wrong\" is invalid:"
                                + " metadata.labels[pod-security.kubernetes.io/enforce]: Invalid"
                                + " value: \"strict\": must be one of privileged, baseline,"
                                + " restricted");
    }

    @Test
    void serverHasADefaultLevel(@TempDir Path directory) {
        try (var strict =
                        RunningServer.inMemory(
                                directory,
                                settings -> settings.withPodSecurity(SecurityLevel.BASELINE));
                var admin = Http.admin(strict)) {
            assertThat(admin.post(pods("default"), PRIVILEGED.formatted("x")).code())
                    .isEqualTo(403);
            assertThat(admin.post(pods("default"), SAFE.formatted("y")).code()).isEqualTo(201);
        }
    }
}
