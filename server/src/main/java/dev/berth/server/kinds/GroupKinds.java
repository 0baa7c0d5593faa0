package dev.berth.server.kinds;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.kinds.column.CoreColumns;
import dev.berth.server.kinds.column.GroupColumns;
import dev.berth.server.kinds.column.WorkloadColumns;
import dev.berth.server.kinds.custom.CustomDefinitions;
import dev.berth.server.kinds.custom.CustomSchema;
import dev.berth.server.kinds.pod.PriorityClasses;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The resources of the named groups except resource.k8s.io.
final class GroupKinds {

    private static final String APPS = "apps";
    private static final String BATCH = "batch";
    private static final String SCHEDULING = "scheduling.k8s.io";
    private static final String ROLES = "rbac.authorization.k8s.io";

    private GroupKinds() {}

    static List<Resource> all(Admission admission, KindOptions options) {
        var all = new ArrayList<Resource>();
        all.addAll(apps());
        all.addAll(batch());
        all.addAll(scheduling(admission));
        all.addAll(roles(options.escalation()));
        all.addAll(single());
        all.add(customDefinitions(options.schemas()));
        return all;
    }

    private static List<Resource> apps() {
        return List.of(
                Resource.of(APPS, "Deployment", AppsRules.deployments())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("deploy")
                        .categories("all")
                        .columns(WorkloadColumns.deployments())
                        .subresources(WorkloadSubresources.scale(APPS, "deployments", "Deployment"))
                        .build(),
                Resource.of(APPS, "ReplicaSet", AppsRules.replicaSets())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("rs")
                        .categories("all")
                        .columns(WorkloadColumns.replicaSets())
                        .selectable(CoreKinds.numbers("status.replicas"))
                        .subresources(WorkloadSubresources.scale(APPS, "replicasets", "ReplicaSet"))
                        .build(),
                Resource.of(APPS, "StatefulSet", AppsRules.statefulSets())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("sts")
                        .categories("all")
                        .columns(WorkloadColumns.statefulSets())
                        .subresources(
                                WorkloadSubresources.scale(APPS, "statefulsets", "StatefulSet"))
                        .build(),
                Resource.of(APPS, "DaemonSet", AppsRules.daemonSets())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("ds")
                        .categories("all")
                        .columns(WorkloadColumns.daemonSets())
                        .build(),
                Resource.of(APPS, "ControllerRevision", AppsRules.controllerRevisions())
                        .namespaced()
                        .deleteReturnsStatus()
                        .columns(WorkloadColumns.controllerRevisions())
                        .build());
    }

    private static List<Resource> batch() {
        return List.of(
                Resource.of(BATCH, "Job", BatchRules.jobs())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .categories("all")
                        .columns(WorkloadColumns.jobs())
                        .selectable(
                                Map.of(
                                        "status.successful",
                                        o ->
                                                Long.toString(
                                                        Columns.numberAt(
                                                                o, "status", "succeeded"))))
                        .build(),
                Resource.of(BATCH, "CronJob", BatchRules.cronJobs())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("cj")
                        .categories("all")
                        .columns(WorkloadColumns.cronJobs())
                        .build());
    }

    private static List<Resource> scheduling(Admission admission) {
        return List.of(
                Resource.of(SCHEDULING, "PriorityClass", PriorityClasses.strategy())
                        .plural("priorityclasses")
                        .deleteReturnsStatus()
                        .shortNames("pc")
                        .columns(GroupColumns.priorityClasses())
                        .build(),
                Resource.of(
                                SCHEDULING,
                                "PodGroup",
                                new DeviceStrategy(
                                        admission,
                                        AdmissionKind.POD_GROUP,
                                        (o, checks) ->
                                                policy(
                                                        o.objectOrEmpty("spec"),
                                                        ObjectChecks.SPEC,
                                                        checks)))
                        .namespaced()
                        .withStatus()
                        .versions(List.of("v1beta1"))
                        .columns(Columns.nameAndAge())
                        .build(),
                Resource.of(
                                SCHEDULING,
                                "Workload",
                                new DeviceStrategy(
                                        admission,
                                        AdmissionKind.WORKLOAD,
                                        (o, checks) ->
                                                checks.each(
                                                        o.objectOrEmpty("spec"),
                                                        "podGroupTemplates",
                                                        ObjectChecks.SPEC,
                                                        (template, at) -> {
                                                            checks.text(template, "name", at);
                                                            policy(template, at, checks);
                                                        })))
                        .namespaced()
                        .versions(List.of("v1beta1"))
                        .columns(Columns.nameAndAge())
                        .build());
    }

    /// Validates the scheduling policy of a pod group: basic or gang.
    private static void policy(JsonObject holder, FieldPath path, ObjectChecks checks) {
        var policy = holder.object("schedulingPolicy");
        if (policy.isEmpty()) {
            return;
        }
        var at = path.child("schedulingPolicy");
        var set = List.of("basic", "gang").stream().filter(policy.get()::has).toList();
        if (set.size() != 1) {
            checks.invalid(at, policy.get(), "must specify exactly one of: `basic`, `gang`");
        }
        policy.get()
                .object("gang")
                .ifPresent(gang -> {
                    var count = gang.number("minCount").orElse(0);
                    if (count < 1) {
                        checks.invalid(
                                at.child("gang").child("minCount"),
                                Json.of(count),
                                "must be greater than or equal to 1");
                    }
                });
    }

    private static List<Resource> roles(PrivilegeCheck escalation) {
        var rules = new RoleRules(escalation);
        return List.of(
                Resource.of(ROLES, "Role", rules.role(false))
                        .namespaced()
                        .deleteReturnsStatus()
                        .columns(Columns.nameAndCreation())
                        .build(),
                Resource.of(ROLES, "RoleBinding", rules.binding(false))
                        .namespaced()
                        .deleteReturnsStatus()
                        .columns(GroupColumns.roleBindings())
                        .build(),
                Resource.of(ROLES, "ClusterRole", rules.role(true))
                        .deleteReturnsStatus()
                        .columns(Columns.nameAndCreation())
                        .build(),
                Resource.of(ROLES, "ClusterRoleBinding", rules.binding(true))
                        .deleteReturnsStatus()
                        .columns(GroupColumns.roleBindings())
                        .build());
    }

    /// Groups with one resource each.
    private static List<Resource> single() {
        return List.of(
                Resource.of("events.k8s.io", "Event", EventRules.strictStrategy())
                        .namespaced()
                        .deleteReturnsStatus()
                        .shortNames("ev")
                        .columns(CoreColumns.events())
                        .selectable(EventRules.selectableByNewNames())
                        .storedIn("events", "v1")
                        .conversion(EventRules.conversion())
                        .build(),
                Resource.of(
                                "policy",
                                "PodDisruptionBudget",
                                DisruptionBudgetRules.disruptionBudgets())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .updateNeedsRevision()
                        .shortNames("pdb")
                        .columns(WorkloadColumns.disruptionBudgets())
                        .build(),
                Resource.of(
                                "certificates.k8s.io",
                                "CertificateSigningRequest",
                                SigningRequestRules.signingRequests())
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("csr")
                        .columns(GroupColumns.signingRequests())
                        .selectable(CoreKinds.fields("spec.signerName"))
                        .subresources(WorkloadSubresources.approval())
                        .build());
    }

    private static Resource customDefinitions(CustomSchema.Compiler schemas) {
        return Resource.of(
                        "apiextensions.k8s.io",
                        "CustomResourceDefinition",
                        new CustomDefinitions(schemas))
                .withStatus()
                .deleteReturnsStatus()
                .updateNeedsRevision()
                .shortNames("crd", "crds")
                .categories("api-extensions")
                .columns(Columns.nameAndCreation())
                .build();
    }
}
