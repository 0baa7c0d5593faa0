package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.mapping.MetaMappings.NODE_SELECTOR;
import static dev.berth.model.codec.mapping.MetaMappings.UID;
import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.mapping.PodMappings.AMOUNTS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.PersistentVolumeClaimSpec;
import dev.berth.model.api.storage.PersistentVolumeSpec;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.api.storage.VolumeClaimRef;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Mappings of the fields of volumes, volume claims and storage classes that affect scheduling.
public final class StorageMappings {

    private static final RecordMapping<Map<String, Quantity>> RESOURCES =
            RecordMapping.partial(f -> {
                var requests = f.optional("requests", AMOUNTS, (Map<String, Quantity> all) -> all);
                return in -> in.get(requests);
            });

    private static final RecordMapping<PersistentVolumeClaimSpec> CLAIM_SPEC =
            RecordMapping.partial(f -> {
                var modes =
                        f.optional("accessModes", WORDS, PersistentVolumeClaimSpec::accessModes);
                var selector =
                        f.pointer(
                                "selector",
                                AffinityMappings.LABEL_SELECTOR,
                                PersistentVolumeClaimSpec::selector);
                var resources =
                        f.optional("resources", RESOURCES, PersistentVolumeClaimSpec::requests);
                var volume = f.optional("volumeName", WORD, PersistentVolumeClaimSpec::volumeName);
                var storageClass =
                        f.pointer(
                                "storageClassName",
                                WORD,
                                PersistentVolumeClaimSpec::storageClassName);
                var mode = f.optional("volumeMode", WORD, PersistentVolumeClaimSpec::volumeMode);
                return in ->
                        new PersistentVolumeClaimSpec(
                                in.get(modes),
                                in.get(resources),
                                in.get(selector),
                                in.get(storageClass),
                                in.get(volume),
                                in.get(mode));
            });

    private static final RecordMapping<String> PHASE =
            RecordMapping.partial(f -> {
                var phase = f.optional("phase", WORD, (String text) -> text);
                return in -> in.get(phase);
            });

    public static final RecordMapping<PersistentVolumeClaim> CLAIM =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "PersistentVolumeClaim");
                var meta = f.always("metadata", META, PersistentVolumeClaim::metadata);
                var spec = f.always("spec", CLAIM_SPEC, PersistentVolumeClaim::spec);
                var status = f.optional("status", PHASE, PersistentVolumeClaim::phase);
                return in -> new PersistentVolumeClaim(in.get(meta), in.get(spec), in.get(status));
            });

    private static final RecordMapping<VolumeClaimRef> OWNER =
            RecordMapping.partial(f -> {
                var namespace =
                        f.optional(
                                "namespace", WORD, (VolumeClaimRef one) -> one.claim().namespace());
                var name = f.optional("name", WORD, (VolumeClaimRef one) -> one.claim().name());
                var uid = f.optional("uid", UID, VolumeClaimRef::uid);
                return in ->
                        new VolumeClaimRef(
                                new ObjectRef(in.get(namespace), in.get(name)), in.get(uid));
            });

    private static final RecordMapping<NodeSelector> REACH =
            RecordMapping.partial(f -> {
                var required =
                        f.pointer(
                                "required",
                                NODE_SELECTOR,
                                (NodeSelector selector) -> Optional.of(selector));
                return in -> in.get(required).orElse(new NodeSelector(List.of()));
            });

    private static final RecordMapping<PersistentVolumeSpec> VOLUME_SPEC =
            RecordMapping.partial(f -> {
                var capacity = f.optional("capacity", AMOUNTS, PersistentVolumeSpec::capacity);
                var modes = f.optional("accessModes", WORDS, PersistentVolumeSpec::accessModes);
                var claim = f.pointer("claimRef", OWNER, PersistentVolumeSpec::claim);
                var storageClass =
                        f.optional(
                                "storageClassName", WORD, PersistentVolumeSpec::storageClassName);
                var mode = f.optional("volumeMode", WORD, PersistentVolumeSpec::volumeMode);
                var nodes = f.pointer("nodeAffinity", REACH, PersistentVolumeSpec::nodes);
                return in ->
                        new PersistentVolumeSpec(
                                in.get(capacity),
                                in.get(modes),
                                in.get(claim),
                                in.get(storageClass),
                                in.get(mode),
                                // Without terms the volume is accessible from all nodes.
                                in.get(nodes).filter(selector -> !selector.terms().isEmpty()));
            });

    public static final RecordMapping<PersistentVolume> VOLUME =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "PersistentVolume");
                var meta = f.always("metadata", META, PersistentVolume::metadata);
                var spec = f.always("spec", VOLUME_SPEC, PersistentVolume::spec);
                var status = f.optional("status", PHASE, PersistentVolume::phase);
                return in -> new PersistentVolume(in.get(meta), in.get(spec), in.get(status));
            });

    /// A label and its permitted values: a node selector requirement with operator In.
    private static final RecordMapping<NodeSelectorRequirement> LABEL_VALUES =
            RecordMapping.of(f -> {
                var key = f.always("key", WORD, NodeSelectorRequirement::key);
                var values = f.always("values", WORDS, NodeSelectorRequirement::values);
                return in ->
                        new NodeSelectorRequirement(
                                in.get(key), NodeSelectorOperator.Known.IN, in.get(values));
            });

    private static final RecordMapping<NodeSelectorTerm> TOPOLOGY =
            RecordMapping.of(f -> {
                var labels =
                        f.optional(
                                "matchLabelExpressions",
                                list(LABEL_VALUES),
                                NodeSelectorTerm::matchExpressions);
                return in -> new NodeSelectorTerm(in.get(labels), List.of());
            });

    public static final RecordMapping<StorageClass> STORAGE_CLASS =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "storage.k8s.io/v1");
                f.fixed("kind", "StorageClass");
                var meta = f.always("metadata", META, StorageClass::metadata);
                var provisioner = f.always("provisioner", WORD, StorageClass::provisioner);
                var mode = f.optional("volumeBindingMode", WORD, StorageClass::volumeBindingMode);
                var topologies =
                        f.optional(
                                "allowedTopologies",
                                list(TOPOLOGY),
                                StorageClass::allowedTopologies);
                return in ->
                        new StorageClass(
                                in.get(meta),
                                in.get(provisioner),
                                in.get(mode),
                                in.get(topologies));
            });

    private StorageMappings() {}
}
