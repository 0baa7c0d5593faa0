package dev.berth.model.codec;

import static dev.berth.model.codec.Containers.list;
import static dev.berth.model.codec.MetaShapes.META;
import static dev.berth.model.codec.MetaShapes.NODE_SELECTOR;
import static dev.berth.model.codec.MetaShapes.UID;
import static dev.berth.model.codec.MetaShapes.WORDS;
import static dev.berth.model.codec.PodShapes.AMOUNTS;
import static dev.berth.model.codec.Scalars.WORD;

import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.NodeSelectorOperator;
import dev.berth.model.api.NodeSelectorRequirement;
import dev.berth.model.api.NodeSelectorTerm;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.PersistentVolumeClaimSpec;
import dev.berth.model.api.PersistentVolumeSpec;
import dev.berth.model.api.StorageClass;
import dev.berth.model.api.VolumeOwner;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The parts of storage that decide on placement.
final class StorageShapes {

    private static final Shape<Map<String, Quantity>> RESOURCES =
            Shape.partial(f -> {
                var requests = f.optional("requests", AMOUNTS, (Map<String, Quantity> all) -> all);
                return in -> in.get(requests);
            });

    private static final Shape<PersistentVolumeClaimSpec> CLAIM_SPEC =
            Shape.partial(f -> {
                var modes =
                        f.optional("accessModes", WORDS, PersistentVolumeClaimSpec::accessModes);
                var selector =
                        f.pointer(
                                "selector",
                                AffinityShapes.LABEL_SELECTOR,
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

    private static final Shape<String> PHASE =
            Shape.partial(f -> {
                var phase = f.optional("phase", WORD, (String text) -> text);
                return in -> in.get(phase);
            });

    static final Shape<PersistentVolumeClaim> CLAIM =
            Shape.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "PersistentVolumeClaim");
                var meta = f.always("metadata", META, PersistentVolumeClaim::metadata);
                var spec = f.always("spec", CLAIM_SPEC, PersistentVolumeClaim::spec);
                var status = f.optional("status", PHASE, PersistentVolumeClaim::phase);
                return in -> new PersistentVolumeClaim(in.get(meta), in.get(spec), in.get(status));
            });

    private static final Shape<VolumeOwner> OWNER =
            Shape.partial(f -> {
                var namespace =
                        f.optional("namespace", WORD, (VolumeOwner one) -> one.claim().namespace());
                var name = f.optional("name", WORD, (VolumeOwner one) -> one.claim().name());
                var uid = f.optional("uid", UID, VolumeOwner::uid);
                return in ->
                        new VolumeOwner(
                                new ObjectRef(in.get(namespace), in.get(name)), in.get(uid));
            });

    private static final Shape<NodeSelector> REACH =
            Shape.partial(f -> {
                var required =
                        f.pointer(
                                "required",
                                NODE_SELECTOR,
                                (NodeSelector selector) -> Optional.of(selector));
                return in -> in.get(required).orElse(new NodeSelector(List.of()));
            });

    private static final Shape<PersistentVolumeSpec> VOLUME_SPEC =
            Shape.partial(f -> {
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
                                // Without a requirement there is no limit to where it is reached.
                                in.get(nodes).filter(selector -> !selector.terms().isEmpty()));
            });

    static final Shape<PersistentVolume> VOLUME =
            Shape.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "PersistentVolume");
                var meta = f.always("metadata", META, PersistentVolume::metadata);
                var spec = f.always("spec", VOLUME_SPEC, PersistentVolume::spec);
                var status = f.optional("status", PHASE, PersistentVolume::phase);
                return in -> new PersistentVolume(in.get(meta), in.get(spec), in.get(status));
            });

    /// A label and its possible values; a requirement like those of node selectors, less general.
    private static final Shape<NodeSelectorRequirement> LABEL_VALUES =
            Shape.of(f -> {
                var key = f.always("key", WORD, NodeSelectorRequirement::key);
                var values = f.always("values", WORDS, NodeSelectorRequirement::values);
                return in ->
                        new NodeSelectorRequirement(
                                in.get(key), NodeSelectorOperator.Known.IN, in.get(values));
            });

    private static final Shape<NodeSelectorTerm> TOPOLOGY =
            Shape.of(f -> {
                var labels =
                        f.optional(
                                "matchLabelExpressions",
                                list(LABEL_VALUES),
                                NodeSelectorTerm::matchExpressions);
                return in -> new NodeSelectorTerm(in.get(labels), List.of());
            });

    static final Shape<StorageClass> STORAGE_CLASS =
            Shape.partial(f -> {
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

    private StorageShapes() {}
}
