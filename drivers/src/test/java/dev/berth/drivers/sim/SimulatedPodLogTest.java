package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimulatedPodLogTest {

    private static final JsonObject CLAIM =
            Yaml.object(
                    """
                    metadata: {name: pod-gpu-x, namespace: ml, uid: 1-2-3}
                    status:
                      allocation:
                        devices:
                          results:
                          - {request: big, driver: gpu.example.com, pool: node-1, device: gpu-0}
                          - request: any/small
                            driver: gpu.example.com
                            pool: node-1
                            device: gpu-1
                    """);

    private static final SimulatedPodLog LOG =
            new SimulatedPodLog(
                    ref -> ref.name().equals("pod-gpu-x") ? Optional.of(CLAIM) : Optional.empty(),
                    id ->
                            Optional.of(
                                    Device.named(id.device())
                                            .withAttributes(
                                                    Map.of(
                                                            "gpu.example.com/uuid",
                                                            new AttributeValue.StringValue(
                                                                    "GPU-" + id.device()),
                                                            "minor",
                                                            new AttributeValue.IntValue(7)))));

    @Test
    void aContainerSeesTheDevicesOfItsRequestsOnly() {
        assertThat(LOG.text(pod(""), "worker"))
                .isEqualTo(
                        """
                        Container worker of pod ml/train on simulated node node-1: nothing runs.
                        Devices that the container would see:
                        - driver gpu.example.com, pool node-1, device gpu-1
                          claim pod-gpu-x, request any/small
                          uuid=GPU-gpu-1
                          CDI gpu.example.com/claim=1-2-3_gpu-1
                        """);
        assertThat(LOG.text(pod(""), "all").lines().filter(line -> line.startsWith("- ")))
                .hasSize(2);
        assertThat(LOG.text(pod(""), "none")).contains("The container has no devices.");
    }

    @Test
    void devicesOfExtendedResourcesAreSeenToo() {
        var pod =
                Yaml.object(
                        """
                        metadata: {name: train, namespace: ml}
                        spec: {nodeName: node-1, containers: [{name: c}, {name: d}]}
                        status:
                          extendedResourceClaimStatus:
                            resourceClaimName: pod-gpu-x
                            requestMappings: [{containerName: c, requestName: big}]
                        """);
        assertThat(LOG.text(pod, "c")).contains("device gpu-0").doesNotContain("device gpu-1");
        assertThat(LOG.text(pod, "d")).contains("The container has no devices.");
    }

    @Test
    void theLinesOfTheAnnotationComeLast() {
        assertThat(LOG.text(pod("sim.berth.dev/log-lines: \"one\\ntwo\""), "none"))
                .endsWith("no devices.\none\ntwo\n");
    }

    private static JsonObject pod(String annotations) {
        return Yaml.object(
                """
                metadata: {name: train, namespace: ml, annotations: {%s}}
                spec:
                  nodeName: node-1
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
                  containers:
                  - {name: worker, resources: {claims: [{name: gpu, request: any}]}}
                  - {name: all, resources: {claims: [{name: gpu}]}}
                  - {name: none}
                status: {resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-x}]}
                """
                        .formatted(annotations));
    }
}
