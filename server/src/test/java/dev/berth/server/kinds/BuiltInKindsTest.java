package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class BuiltInKindsTest {

    private final List<Resource> all = BuiltInKinds.all(KindOptions.of(FeatureGates.defaults()));

    @Test
    void allDocumentedKindsAreServed() {
        assertThat(all.stream().map(one -> one.plural() + "." + one.group()))
                .contains(
                        "namespaces.",
                        "nodes.",
                        "pods.",
                        "events.",
                        "configmaps.",
                        "secrets.",
                        "serviceaccounts.",
                        "resourcequotas.",
                        "limitranges.",
                        "persistentvolumes.",
                        "persistentvolumeclaims.",
                        "services.",
                        "endpoints.",
                        "events.events.k8s.io",
                        "leases.coordination.k8s.io",
                        "priorityclasses.scheduling.k8s.io",
                        "podgroups.scheduling.k8s.io",
                        "workloads.scheduling.k8s.io",
                        "deployments.apps",
                        "replicasets.apps",
                        "statefulsets.apps",
                        "daemonsets.apps",
                        "controllerrevisions.apps",
                        "jobs.batch",
                        "cronjobs.batch",
                        "poddisruptionbudgets.policy",
                        "storageclasses.storage.k8s.io",
                        "csinodes.storage.k8s.io",
                        "csidrivers.storage.k8s.io",
                        "volumeattachments.storage.k8s.io",
                        "runtimeclasses.node.k8s.io",
                        "roles.rbac.authorization.k8s.io",
                        "rolebindings.rbac.authorization.k8s.io",
                        "clusterroles.rbac.authorization.k8s.io",
                        "clusterrolebindings.rbac.authorization.k8s.io",
                        "certificatesigningrequests.certificates.k8s.io",
                        "customresourcedefinitions.apiextensions.k8s.io",
                        "deviceclasses.resource.k8s.io",
                        "resourceclaims.resource.k8s.io",
                        "resourceclaimtemplates.resource.k8s.io",
                        "resourceslices.resource.k8s.io",
                        "devicetaintrules.resource.k8s.io",
                        "resourcepoolstatusrequests.resource.k8s.io");
    }

    @Test
    void resourceNamesAreUniquePerGroup() {
        var seen = new HashSet<String>();
        var twice = new ArrayList<String>();
        for (var one : all) {
            var names = new ArrayList<>(List.of(one.plural()));
            if (!one.singular().equals(one.plural())) {
                names.add(one.singular());
            }
            names.addAll(one.shortNames());
            for (var name : names) {
                if (!seen.add(one.group() + "/" + name)) {
                    twice.add(one.group() + "/" + name);
                }
            }
        }
        assertThat(twice).isEmpty();
    }

    @Test
    void shortNamesAreUniqueExceptForEvents() {
        var seen = new HashSet<String>();
        assertThat(all.stream().flatMap(one -> one.shortNames().stream()).filter(s -> !seen.add(s)))
                .containsExactly("ev");
    }

    @Test
    void everyKindHasVersionsColumnsAndWellFormedSubresources() {
        assertThat(all)
                .allSatisfy(one -> {
                    assertThat(one.versions()).isNotEmpty().doesNotHaveDuplicates();
                    assertThat(one.columns()).isNotEmpty();
                    assertThat(one.columns().stream().map(c -> c.name())).doesNotHaveDuplicates();
                    assertThat(one.columns())
                            .allSatisfy(c ->
                                    assertThat(c.type())
                                            .isIn(
                                                    "string", "integer", "boolean", "date",
                                                    "number"));
                    assertThat(one.subresources())
                            .allSatisfy(s ->
                                    assertThat(List.of("get", "create", "update", "patch"))
                                            .containsAll(s.verbs()));
                    assertThat(one.subresource("status")).isEmpty();
                });
    }

    @Test
    void columnsAndSelectorsAcceptEmptyObjects() {
        for (var one : all) {
            for (var column : one.columns()) {
                assertThat(column.cell().of(JsonObject.EMPTY, KindsFixture.NOW)).isNotNull();
            }
            one.selectable()
                    .forEach((_, field) -> assertThat(field.apply(JsonObject.EMPTY)).isNotNull());
        }
    }

    @Test
    void strategiesAcceptEmptyObjects() {
        var fixture = new KindsFixture();
        for (var one : all) {
            var admitted = one.strategy().create(JsonObject.EMPTY, fixture.context("default"));
            assertThat(admitted.problems()).as(one.toString()).isNotEmpty();
        }
    }

    @Test
    void devicesAreServedInTheEnabledVersions() {
        var options = KindOptions.of(FeatureGates.defaults()).withDeviceVersions(List.of("v1"));
        var served =
                BuiltInKinds.all(options).stream()
                        .filter(one -> one.group().equals("resource.k8s.io"))
                        .toList();
        assertThat(served).allSatisfy(one -> assertThat(one.versions()).containsExactly("v1"));
        assertThat(served.stream().map(Resource::kind)).doesNotContain("ResourcePoolStatusRequest");
    }

    @Test
    void oldSlicesAreConvertedToTheNewestVersion() {
        var slices = new KindsFixture().kind("resource.k8s.io/resourceslices");
        var old =
                KindsFixture.yaml(
                        "spec: {devices: [{name: gpu, basic: {attributes: {a: {int: 1}}}}]}");
        var internal = slices.toInternal("v1beta1", old);
        assertThat(internal.text("apiVersion")).isEqualTo("resource.k8s.io/v1");
        assertThat(internal.objectOrEmpty("spec"))
                .isEqualTo(KindsFixture.yaml("devices: [{name: gpu, attributes: {a: {int: 1}}}]"));
        assertThat(slices.fromInternal("v1beta1", internal).objectOrEmpty("spec"))
                .isEqualTo(old.objectOrEmpty("spec"));
    }

    @Test
    void eventsOfBothGroupsAreTheSameObjects() {
        var fixture = new KindsFixture();
        var newer =
                fixture.kinds().stream()
                        .filter(one -> one.group().equals("events.k8s.io"))
                        .findFirst()
                        .orElseThrow();
        var event = KindsFixture.yaml("{regarding: {kind: Pod}, note: hello, deprecatedCount: 3}");
        var internal = newer.toInternal("v1", event);
        assertThat(newer.collection()).isEqualTo("events");
        assertThat(internal.text("message")).isEqualTo("hello");
        assertThat(internal.objectOrEmpty("involvedObject").text("kind")).isEqualTo("Pod");
        assertThat(internal.number("count")).hasValue(3);
        assertThat(newer.fromInternal("v1", internal).text("note")).isEqualTo("hello");
    }
}
