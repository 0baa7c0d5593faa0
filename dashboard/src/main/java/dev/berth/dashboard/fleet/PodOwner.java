package dev.berth.dashboard.fleet;

import dev.berth.model.api.pod.Pod;

/// The workload of a pod, as its metadata tells.
public final class PodOwner {

    private static final String TEMPLATE_HASH = "pod-template-hash";

    private PodOwner() {}

    /// `Kind/name` of the controller; the Deployment for pods of its ReplicaSets. Empty for pods
    /// without a controller.
    public static String text(Pod pod) {
        var controller = pod.metadata().controller();
        if (controller.isEmpty()) {
            return "";
        }
        var kind = controller.get().kind();
        var name = controller.get().name();
        var hash = pod.metadata().labels().getOrDefault(TEMPLATE_HASH, "");
        var isOfDeployment =
                kind.equals("ReplicaSet") && !hash.isEmpty() && name.endsWith("-" + hash);
        return isOfDeployment
                ? "Deployment/" + name.substring(0, name.length() - hash.length() - 1)
                : kind + "/" + name;
    }
}
