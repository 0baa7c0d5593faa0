package dev.berth.dashboard.watch;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.close.CloseStack;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Watches all kinds that the dashboard shows, with the rights of the user.
public final class ClusterWatch implements WatchListener, AutoCloseable {

    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");

    private final Cluster cluster;
    private final CloseStack subscriptions = new CloseStack();
    private final List<KindCache<?>> all = new CopyOnWriteArrayList<>();
    private final List<WatchListener> listeners = new CopyOnWriteArrayList<>();

    private final KindCache<Node> nodes;
    private final KindCache<ResourceSlice> slices;
    private final KindCache<DeviceClass> classes;
    private final KindCache<ResourceClaim> claims;
    private final KindCache<Pod> pods;
    private final KindCache<DeviceTaintRule> taintRules;
    private final KindCache<ResourceClaimTemplate> templates;
    private final KindCache<ResourceQuota> quotas;
    private final KindCache<PodGroup> podGroups;
    private final KindCache<PersistentVolumeClaim> volumeClaims;
    private final KindCache<PersistentVolume> volumes;
    private final KindCache<StorageClass> storageClasses;
    private final KindCache<JsonObject> namespaces;

    /// Does not watch yet.
    public ClusterWatch(Cluster cluster) {
        this.cluster = cluster;
        this.nodes = kind(Kinds.NODE);
        this.slices = kind(Kinds.RESOURCE_SLICE);
        this.classes = kind(Kinds.DEVICE_CLASS);
        this.claims = kind(Kinds.RESOURCE_CLAIM);
        this.pods = kind(Kinds.POD);
        this.taintRules = kind(Kinds.DEVICE_TAINT_RULE);
        this.templates = kind(Kinds.RESOURCE_CLAIM_TEMPLATE);
        this.quotas = kind(Kinds.RESOURCE_QUOTA);
        this.podGroups = kind(Kinds.POD_GROUP);
        this.volumeClaims = kind(Kinds.PERSISTENT_VOLUME_CLAIM);
        this.volumes = kind(Kinds.PERSISTENT_VOLUME);
        this.storageClasses = kind(Kinds.STORAGE_CLASS);
        this.namespaces = new KindCache<>(NAMESPACES, ObjectCache.ofJson(), this);
        all.add(namespaces);
    }

    private <T extends KubernetesObject> KindCache<T> kind(Kind<T> kind) {
        var watched = new KindCache<T>(ResourcePath.of(kind), ObjectCache.ofRecords(), this);
        all.add(watched);
        return watched;
    }

    void addListener(WatchListener listener) {
        listeners.add(listener);
    }

    @Override
    public void listed() {
        listeners.forEach(WatchListener::listed);
    }

    @Override
    public void accessChanged() {
        listeners.forEach(WatchListener::accessChanged);
    }

    public void start() {
        watch(Kinds.NODE, nodes);
        watch(Kinds.RESOURCE_SLICE, slices);
        watch(Kinds.DEVICE_CLASS, classes);
        watch(Kinds.RESOURCE_CLAIM, claims);
        watch(Kinds.POD, pods);
        watch(Kinds.DEVICE_TAINT_RULE, taintRules);
        watch(Kinds.RESOURCE_CLAIM_TEMPLATE, templates);
        watch(Kinds.RESOURCE_QUOTA, quotas);
        watch(Kinds.POD_GROUP, podGroups);
        watch(Kinds.PERSISTENT_VOLUME_CLAIM, volumeClaims);
        watch(Kinds.PERSISTENT_VOLUME, volumes);
        watch(Kinds.STORAGE_CLASS, storageClasses);
        subscriptions.push(cluster.watch(NAMESPACES, "", namespaces));
    }

    private <T extends KubernetesObject> void watch(Kind<T> kind, KindCache<T> watched) {
        subscriptions.push(cluster.watch(kind, "", watched));
    }

    /// Whether everything that the fleet consists of is listed, or known to be forbidden.
    public boolean isSettled() {
        return required().stream().allMatch(KindCache::isSettled);
    }

    private List<KindCache<?>> required() {
        return List.of(nodes, slices, classes, claims, pods);
    }

    /// Progress of the first lists.
    ///
    /// @param isListed whether the list is complete, or forbidden
    public record Progress(String resource, int objects, boolean isListed) {}

    public List<Progress> progress() {
        return required().stream()
                .map(kind ->
                        new Progress(
                                kind.resource().plural(), kind.cache().size(), kind.isSettled()))
                .toList();
    }

    /// The resources that the user may not read.
    public List<ResourcePath> forbidden() {
        return all.stream().filter(KindCache::isForbidden).map(KindCache::resource).toList();
    }

    public boolean mayReadClaims() {
        return !claims.isForbidden();
    }

    public boolean mayReadNodes() {
        return !nodes.isForbidden();
    }

    /// Whether volumes and their claims are known.
    public boolean knowsStorage() {
        return List.of(volumeClaims, volumes, storageClasses).stream()
                .allMatch(kind -> kind.cache().isSynced() && !kind.isForbidden());
    }

    public ObjectCache<Node> nodes() {
        return nodes.cache();
    }

    public ObjectCache<ResourceSlice> slices() {
        return slices.cache();
    }

    public ObjectCache<DeviceClass> classes() {
        return classes.cache();
    }

    public ObjectCache<ResourceClaim> claims() {
        return claims.cache();
    }

    public ObjectCache<Pod> pods() {
        return pods.cache();
    }

    public ObjectCache<DeviceTaintRule> taintRules() {
        return taintRules.cache();
    }

    public ObjectCache<ResourceClaimTemplate> templates() {
        return templates.cache();
    }

    public ObjectCache<ResourceQuota> quotas() {
        return quotas.cache();
    }

    public ObjectCache<PodGroup> podGroups() {
        return podGroups.cache();
    }

    public ObjectCache<PersistentVolumeClaim> volumeClaims() {
        return volumeClaims.cache();
    }

    public ObjectCache<PersistentVolume> volumes() {
        return volumes.cache();
    }

    public ObjectCache<StorageClass> storageClasses() {
        return storageClasses.cache();
    }

    public ObjectCache<JsonObject> namespaces() {
        return namespaces.cache();
    }

    @Override
    public void close() {
        subscriptions.closeOrThrow("the watches did not end");
    }
}
