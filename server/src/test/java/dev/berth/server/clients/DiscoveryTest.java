package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Compares discovery with the table of resources in `discovery/resources.txt`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscoveryTest {

    private static final String ABSENT = "absent ";
    private static final List<String> ALL =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");

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

    @Test
    void resourcesAreThoseOfKubernetes() throws IOException {
        var served = served();
        var expected = new TreeSet<String>();
        for (var line : table()) {
            if (!line.startsWith(ABSENT)) {
                expected.add(line);
            }
        }
        assertThat(served).containsExactlyElementsOf(expected);
    }

    @Test
    void absentResourcesAreInNoDocument() throws IOException {
        var names = served().stream().map(line -> line.split(" ", -1)).map(w -> w[0] + " " + w[1]);
        var absent =
                table().stream()
                        .filter(line -> line.startsWith(ABSENT))
                        .map(line -> line.substring(ABSENT.length()))
                        .toList();
        assertThat(absent).isNotEmpty();
        assertThat(names).doesNotContainAnyElementsOf(absent);
    }

    @Test
    void unsupportedVerbsAreRejected() {
        assertThat(http.delete("/api/v1/namespaces", "").code()).isEqualTo(405);
        assertThat(http.post("/api/v1/componentstatuses", "{}").code()).isEqualTo(405);
        assertThat(http.get("/api/v1/componentstatuses").names()).isEmpty();
        assertThat(http.get("/api/v1/componentstatuses?watch=1").code()).isEqualTo(405);
    }

    @Test
    void creatingAStoredOnlyKindReturnsAWarning() {
        var response =
                http.post(
                        "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
                        """
                        {"metadata":{"name":"i"},"spec":{"defaultBackend":
                          {"service":{"name":"s","port":{"number":80}}}}}
                        """);
        assertThat(response.code()).isEqualTo(201);
        assertThat(response.header("Warning"))
                .isEqualTo("299 - \"Berth stores Ingress objects; no controller acts on them\"");
    }

    private Set<String> served() {
        var lines = new TreeSet<String>();
        var core = http.get("/api/v1").json();
        resources("v1", core, lines);
        for (var group : http.get("/apis").json().objects("groups")) {
            for (var version : group.objects("versions")) {
                var name = version.text("groupVersion");
                resources(name, http.get("/apis/" + name).json(), lines);
            }
        }
        return lines;
    }

    private static void resources(String version, JsonObject list, Set<String> lines) {
        for (var one : list.objects("resources")) {
            var verbs = one.strings("verbs");
            var line =
                    "%s %s %s %s"
                            .formatted(
                                    version,
                                    one.text("name"),
                                    one.flag("namespaced").orElse(false) ? "Namespaced" : "Cluster",
                                    verbs.equals(ALL) ? "all" : String.join(",", verbs));
            lines.add(line + named(one, "shortNames", "short") + named(one, "categories"));
        }
    }

    private static String named(JsonObject one, String member) {
        return named(one, member, member);
    }

    private static String named(JsonObject one, String member, String word) {
        var values = one.strings(member);
        return values.isEmpty() ? "" : " %s=%s".formatted(word, String.join(",", values));
    }

    private static List<String> table() throws IOException {
        try (var in = DiscoveryTest.class.getResourceAsStream("/discovery/resources.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
