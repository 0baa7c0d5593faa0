package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceClassSpec;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExtendedResourcesTest {

    private static final String GPU = "example.com/gpu";

    private final ExtendedResources resources =
            ExtendedResources.of(List.of(named("z", GPU), named("a", GPU)));

    private static DeviceClass named(String name, String resource) {
        return new DeviceClass(
                ObjectMeta.of(name),
                new DeviceClassSpec(List.of(), List.of(), Optional.of(resource)));
    }

    private static Pod pod(String init, String containers) {
        return SchedulingQueueTest.pod(
                """
                {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p'},
                 'spec': {'initContainers': [%s], 'containers': [%s]}}
                """
                        .formatted(init, containers));
    }

    private static String container(String name, int gpus, String more) {
        return "{'name': '%s', 'resources': {'requests': {'cpu': '1', '%s': '%d'}}%s}"
                .formatted(name, GPU, gpus, more);
    }

    private List<String> requests(Pod pod) {
        return resources.wish(pod, Set.of(GPU)).spec().requests().stream()
                .map(ExtendedResourcesTest::text)
                .toList();
    }

    private static String text(DeviceRequest request) {
        return request instanceof DeviceRequest.Exactly exactly
                        && exactly.demand().count() instanceof AllocationCount.ExactCount(var n)
                ? "%s: %d of %s".formatted(request.name(), n, exactly.demand().deviceClassName())
                : request.toString();
    }

    private List<String> mappings(Pod pod) {
        return resources.wish(pod, Set.of(GPU)).mappings().stream()
                .map(m -> m.containerName() + " by " + m.requestName())
                .toList();
    }

    @Test
    void ofEquallyOldClassesTheFirstByNameHasTheResource() {
        var pod = pod("", container("c", 2, ""));

        assertThat(resources.of(pod)).containsExactly(GPU);
        assertThat(requests(pod)).containsExactly("container-0-request-1: 2 of a");
    }

    @Test
    void everyClassHasAResourceByItsOwnName() {
        var pod =
                pod(
                        "",
                        "{'name': 'c', 'resources': {'requests':"
                                + " {'deviceclass.resource.kubernetes.io/z': '1'}}}");

        assertThat(resources.of(pod)).containsExactly("deviceclass.resource.kubernetes.io/z");
    }

    @Test
    void containersThatRunTogetherHaveDevicesOfTheirOwn() {
        var sidecar = container("s", 1, ", 'restartPolicy': 'Always'");
        var pod = pod(sidecar, container("c", 2, "") + "," + container("d", 1, ""));

        assertThat(requests(pod))
                .containsExactly(
                        "container-0-request-1: 1 of a",
                        "container-1-request-1: 2 of a",
                        "container-2-request-1: 1 of a");
    }

    @Test
    void initContainersBorrowFromThoseThatComeLater() {
        var pod = pod(container("i", 3, "") + "," + container("j", 5, ""), container("c", 2, ""));

        assertThat(requests(pod))
                .containsExactly("container-1-request-1: 3 of a", "container-2-request-1: 2 of a");
        assertThat(mappings(pod))
                .containsExactly(
                        "c by container-2-request-1",
                        "i by container-2-request-1",
                        "j by container-2-request-1",
                        "i by container-1-request-1",
                        "j by container-1-request-1");
    }
}
