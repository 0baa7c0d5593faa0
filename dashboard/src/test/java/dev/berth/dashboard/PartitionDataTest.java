package dev.berth.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Devices with partitions in the data of the fleet.
class PartitionDataTest {

    private static final String GPU =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: node-1}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: counters}
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 2}
              sharedCounters:
              - name: gpu-0
                counters:
                  memory-slice-0: {value: "1"}
                  memory-slice-1: {value: "1"}
                  memory-slice-2: {value: "1"}
                  memory-slice-3: {value: "1"}
                  engines: {value: "3"}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: devices}
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 2}
              devices:
              - name: gpu-0
                consumesCounters:
                - counterSet: gpu-0
                  counters:
                    memory-slice-0: {value: "1"}
                    memory-slice-1: {value: "1"}
                    memory-slice-2: {value: "1"}
                    memory-slice-3: {value: "1"}
                    engines: {value: "3"}
              - name: half-0
                attributes: {profile: {string: half}}
                consumesCounters:
                - counterSet: gpu-0
                  counters:
                    memory-slice-0: {value: "1"}
                    memory-slice-1: {value: "1"}
                    engines: {value: "2"}
              - name: half-2
                attributes: {profile: {string: half}}
                consumesCounters:
                - counterSet: gpu-0
                  counters:
                    memory-slice-2: {value: "1"}
                    memory-slice-3: {value: "1"}
                    engines: {value: "2"}
              - name: quarter-3
                attributes: {profile: {string: quarter}}
                consumesCounters:
                - counterSet: gpu-0
                  counters:
                    memory-slice-3: {value: "1"}
                    engines: {value: "1"}
            """;

    private static FakeCluster cluster() {
        var cluster = new FakeCluster();
        cluster.put(GPU);
        return cluster;
    }

    @Test
    void countersOfValueOneAreCells() throws IOException, InterruptedException {
        try (var client = new DashboardClient(cluster()).loggedIn()) {
            var shape = client.json("/ui/api/fleet").objects("shapes").getFirst();
            var unit = shape.objects("units").getFirst();

            assertThat(unit.number("cells")).hasValue(4);
            assertThat(unit.text("cellName")).isEqualTo("memory-slice");
            assertThat(unit.number("frame")).hasValue(0);
            var half = shape.objects("devices").get(1);
            assertThat(half.text("kind")).isEqualTo("p");
            assertThat(half.text("profile")).isEqualTo("half");
            assertThat(half.items("cells").toString())
                    .isEqualTo("[JsonNumber[literal=0], JsonNumber[literal=1]]");
            assertThat(half.member("share").orElseThrow().toString()).contains("0.666667");
        }
    }

    @Test
    void cellsThatNoFreePartitionCoversAreBlocked() throws IOException, InterruptedException {
        var cluster = cluster();
        cluster.put(TestObjects.allocated("c", "half-0", "train"));
        try (var client = new DashboardClient(cluster).loggedIn()) {
            // One engine is left: half-2 does not fit, quarter-3 does.
            assertThat(client.state("node-1")).contains("%#%.");
            var units = client.json("/ui/api/fleet").objectOrEmpty("nodes").items("units");
            assertThat(units.toString()).contains("0.666667", "##%.");

            var device =
                    client.json(
                            "/ui/api/device?driver=gpu.example.com&pool=node-1&device=quarter-3");
            var half = device.objects("profiles").getFirst();
            assertThat(half.text("profile")).isEqualTo("half");
            assertThat(half.number("available")).hasValue(0);
            assertThat(half.text("shortOf")).isEqualTo("gpu-0/engines");
        }
    }
}
