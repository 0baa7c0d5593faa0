package dev.berth.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// The fleet, its changes and the answers about it.
class FleetDataTest {

    private static FakeCluster cluster() {
        var cluster = new FakeCluster();
        cluster.put(TestObjects.CLUSTER);
        return cluster;
    }

    @Test
    void devicesHaveShapesStatesAndHolders() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.pod("train", "node-1", "c"));
        cluster.put(TestObjects.allocated("c", "gpu-1", "train"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var fleet = client.json("/ui/api/fleet");

            assertThat(client.state("node-1")).contains(".#");
            var devices = fleet.objects("shapes").getFirst().objects("devices");
            assertThat(devices.getFirst().text("name")).isEqualTo("gpu-0");
            assertThat(devices.getFirst().text("pool")).isEqualTo("{node}");
            assertThat(devices.getFirst().text("kind")).isEqualTo("g");
            assertThat(devices.getFirst().strings("classes")).containsExactly("gpu");
            assertThat(fleet.objects("groups").getFirst().text("name")).isEqualTo("r1");
            var holder = fleet.objects("holders").getFirst();
            assertThat(holder.text("claim")).isEqualTo("c");
            assertThat(holder.strings("pods")).containsExactly("train");
            var counts = fleet.objects("classes").getFirst();
            assertThat(counts.number("devices")).hasValue(2);
            assertThat(counts.number("free")).hasValue(1);
        }
    }

    @Test
    void aChangeArrivesAsAnEvent() throws IOException, InterruptedException {
        var cluster = cluster();
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var revision = client.json("/ui/api/fleet").text("rev");
            try (var lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    client.events(revision), StandardCharsets.UTF_8))) {
                cluster.put(TestObjects.pod("train", "node-1", "c"));
                cluster.put(TestObjects.allocated("c", "gpu-0", "train"));

                var data =
                        lines.lines()
                                .filter(line -> line.startsWith("data: "))
                                .filter(line -> line.contains("\"nodes\""))
                                .findFirst()
                                .orElseThrow();

                var row =
                        DashboardClient.parse(data.substring("data: ".length()))
                                .objects("nodes")
                                .getFirst();
                assertThat(row.text("state")).isEqualTo("#.");
            }
        }
    }

    @Test
    void anUnknownRevisionIsAnsweredByResync() throws IOException, InterruptedException {
        try (var client = new DashboardClient(cluster()).loggedIn();
                var lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        client.events("other.7"), StandardCharsets.UTF_8))) {
            assertThat(lines.lines().filter(line -> line.startsWith("event: ")).findFirst())
                    .contains("event: resync");
        }
    }

    @Test
    void removedClaimsFreeTheirDevices() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.pod("train", "node-1", "c"));
        cluster.put(TestObjects.allocated("c", "gpu-0", "train"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            cluster.remove("resourceclaims", "ml", "c");

            Eventually.holds("gpu-0 is free", () -> client.state("node-1").orElse("").equals(".."));
            var timeline =
                    client.json(
                            "/ui/api/timeline/device?driver=gpu.example.com&pool=node-1"
                                    + "&device=gpu-0");
            var holder = timeline.objects("holders").getFirst();
            assertThat(holder.text("claim")).isEqualTo("c");
            assertThat(holder.has("to")).isTrue();
        }
    }

    @Test
    void claimsOfPodsThatAreNotOnANodeAreReserved() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.pod("train", "", "c"));
        cluster.put(TestObjects.allocated("c", "gpu-0", "train"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            assertThat(client.state("node-1")).contains("h.");
        }
    }

    @Test
    void devicesThatAreHeldAndNotPublishedAreGhosts() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.allocated("c", "gpu-9", "train"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var nodes = client.json("/ui/api/fleet").objectOrEmpty("nodes");
            assertThat(nodes.items("ghosts").toString()).contains("gpu-9");
        }
    }

    @Test
    void missingRightsAreNamedAndTheUseOfDevicesIsUnknown()
            throws IOException, InterruptedException {
        var cluster = new FakeCluster("resourceclaims", "pods");
        cluster.put(TestObjects.CLUSTER);
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var fleet = client.json("/ui/api/fleet");

            assertThat(client.state("node-1")).contains("__");
            assertThat(fleet.objects("access").getFirst().text("text"))
                    .contains("jane may not list resourceclaims", "berth-reader");
            assertThat(fleet.objects("holders")).isEmpty();
        }
    }

    @Test
    void hostileNamesStayText() throws IOException, InterruptedException {
        var cluster = cluster();
        var name = "<img src=x onerror=alert(1)>";

        try (var client = new DashboardClient(cluster).loggedIn()) {
            cluster.put(
                    TestObjects.allocated("c", "gpu-0", "train")
                            .replace("name: train", "name: '%s'".formatted(name)));

            Eventually.holds(
                    "the holder is known",
                    () -> !client.json("/ui/api/fleet").objects("holders").isEmpty());
            var holder = client.json("/ui/api/fleet").objects("holders").getFirst();
            assertThat(holder.strings("pods")).containsExactly(name);
            assertThat(client.get("/ui/api/fleet").headers().firstValue("Content-Type"))
                    .contains("application/json");
        }
    }

    @Test
    void expressionsFilterDevicesAndErrorsHaveAPosition() throws IOException, InterruptedException {
        try (var client = new DashboardClient(cluster()).loggedIn()) {
            var found =
                    client.json(
                            "/ui/api/filter?cel=device.attributes%5B%22gpu.example.com%22%5D.model"
                                    + "%20%3D%3D%20%22slow%22");
            assertThat(found.number("devices")).hasValue(1);
            assertThat(found.items("nodes").toString()).contains("literal=1");

            var wrong = client.get("/ui/api/filter?cel=device.driver%20%3D%3D%3D%201");
            assertThat(wrong.statusCode()).isEqualTo(422);
            assertThat(wrong.body()).contains("\"reason\":\"InvalidExpression\"", "\"column\":");
        }
    }

    @Test
    void tablesAreFilteredAndLimited() throws IOException, InterruptedException {
        var cluster = cluster();
        for (var i = 0; i < 12; i++) {
            cluster.put(TestObjects.claim("claim-" + i));
        }
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var table = client.json("/ui/api/table/claims?limit=5&q=claim");

            assertThat(table.number("total")).hasValue(12);
            assertThat(table.objects("rows")).hasSize(5);
            assertThat(client.get("/ui/api/table/claims?limit=5001").statusCode()).isEqualTo(400);
            assertThat(
                            client.json("/ui/api/table/slices")
                                    .objects("rows")
                                    .getFirst()
                                    .text("status"))
                    .isEqualTo("complete");
        }
    }

    @Test
    void pendingPodsAreExplained() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.pod("a", "node-1", "ca"));
        cluster.put(TestObjects.pod("b", "node-1", "cb"));
        cluster.put(TestObjects.allocated("ca", "gpu-0", "a"));
        cluster.put(TestObjects.allocated("cb", "gpu-1", "b"));
        cluster.put(TestObjects.claim("c"));
        cluster.put(TestObjects.pod("waits", "", "c"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var item = client.json("/ui/api/pending").objects("items").getFirst();
            assertThat(item.text("kind")).isEqualTo("held");
            assertThat(item.text("pod")).isEqualTo("waits");
            assertThat(item.text("waiting")).isEqualTo("yes");

            var explained = client.json("/ui/api/explain/ml/waits?matrix=node-1");
            var explanation = explained.objectOrEmpty("explanation");
            assertThat(explanation.text("kind")).isEqualTo("Explanation");
            assertThat(explanation.objectOrEmpty("matrix").objects("devices")).hasSize(2);
            assertThat(client.get("/ui/api/explain/ml/none").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void plansReleaseClaimsWithoutChangingTheCluster() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.pod("a", "node-1", "ca"));
        cluster.put(TestObjects.pod("b", "node-1", "cb"));
        cluster.put(TestObjects.allocated("ca", "gpu-0", "a"));
        cluster.put(TestObjects.allocated("cb", "gpu-1", "b"));
        cluster.put(TestObjects.claim("c"));
        cluster.put(TestObjects.pod("waits", "", "c"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var plan =
                    DashboardClient.parse(
                            client.post("/ui/api/plan", "{\"release\":[\"ml/ca\"]}").body());

            assertThat(plan.objectOrEmpty("plan").flag("fits")).contains(true);
            assertThat(plan.strings("ended")).containsExactly("ml/a");
            assertThat(plan.text("command")).isEqualTo("berth plan --live --release ml/ca");
            assertThat(client.state("node-1")).contains("##");
            assertThat(client.post("/ui/api/plan", "{\"release\":[\"ml/x\"]}").statusCode())
                    .isEqualTo(400);
            assertThat(client.post("/ui/api/plan", "{\"manifests\":\"x\"}").statusCode())
                    .isEqualTo(422);
        }
    }

    @Test
    void environmentAndOpaqueParametersAreNotSent() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: p
                  namespace: ml
                  annotations: {kubectl.kubernetes.io/last-applied-configuration: 's3cret'}
                spec:
                  containers: [{name: c, image: x, env: [{name: A, value: s3cret}]}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: c, namespace: ml}
                spec:
                  devices:
                    config: [{opaque: {driver: d, parameters: {password: s3cret}}}]
                """);
        try (var client = new DashboardClient(cluster).loggedIn()) {
            var pod = client.get("/ui/api/object/pods/p?namespace=ml").body();
            var claim = client.get("/ui/api/object/resourceclaims/c?namespace=ml").body();

            assertThat(pod).contains("image: x").doesNotContain("s3cret");
            assertThat(claim)
                    .contains("spec.devices.config[0].opaque.parameters")
                    .doesNotContain("s3cret");
            assertThat(client.get("/ui/api/object/secrets/s?namespace=ml").statusCode())
                    .isEqualTo(404);
        }
    }
}
