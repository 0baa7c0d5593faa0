package dev.berth.core.lifecycle;

import dev.berth.core.admission.FeatureGates;
import dev.berth.core.admission.Gate;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.PodResourceClaimStatus;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.api.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Makes claims from templates, one for each entry of a pod or of a group of pods.
public final class ClaimCreation {

    /// A generated name is this prefix, a hyphen and five characters: 63 are allowed.
    private static final int MAX_PREFIX = 57;

    /// What is known when an owner is looked at.
    ///
    /// @param claims those that the owner's status names, as far as they exist
    /// @param owned all that have the owner as their controller
    /// @param ofGroup for pods: the claims that their group has, by the template that made them and
    ///   the entry's name
    public record Known(
            Map<ObjectRef, ResourceClaim> claims,
            Collection<ResourceClaim> owned,
            Map<String, ResourceClaimTemplate> templates,
            GroupClaims ofGroup) {}

    /// The claims of a pod's group.
    ///
    /// @param entries of the group
    /// @param names of claims that were made, by entry
    public record GroupClaims(List<PodResourceClaim> entries, Map<String, String> names) {

        public static final GroupClaims NONE = new GroupClaims(List.of(), Map.of());

        public GroupClaims {
            entries = List.copyOf(entries);
            names = Map.copyOf(names);
        }

        public static GroupClaims of(ClaimOwner group) {
            var names = new HashMap<String, String>();
            for (var status : group.statuses()) {
                status.resourceClaimName().ifPresent(name -> names.put(status.name(), name));
            }
            return new GroupClaims(group.entries(), names);
        }

        /// An entry that says the very same as one of the group is the group's.
        private boolean has(PodResourceClaim entry) {
            return entries.contains(entry);
        }
    }

    /// What is to become of an entry.
    public sealed interface Step {

        String entry();

        /// A claim is there, but the owner's status does not say so yet.
        record Adopt(String entry, String claim) implements Step {}

        /// A claim is to be made.
        record Make(String entry, ResourceClaim claim) implements Step {}

        /// No claim can be made for now.
        record Refuse(String entry, String message) implements Step {}
    }

    private final FeatureGates gates;

    public ClaimCreation(FeatureGates gates) {
        this.gates = gates;
    }

    /// What has to be done for an owner; nothing when its status is right.
    public List<Step> steps(ClaimOwner owner, Known known) {
        var steps = new ArrayList<Step>();
        for (var entry : owner.entries()) {
            if (entry.source() instanceof PodClaimSource.TemplateName(var template)) {
                step(owner, entry, template, known).ifPresent(steps::add);
            }
        }
        return steps;
    }

    private Optional<Step> step(
            ClaimOwner owner, PodResourceClaim entry, String template, Known known) {
        if (known.ofGroup().has(entry)) {
            return Optional.ofNullable(known.ofGroup().names().get(entry.name()))
                    .filter(name -> !isSaid(owner, entry, name))
                    .map(name -> new Step.Adopt(entry.name(), name));
        }
        var said = owner.status(entry.name());
        if (said.isPresent()) {
            var name = said.get().resourceClaimName();
            if (name.isEmpty() || isThere(owner, name.get(), known)) {
                return Optional.empty();
            }
        }
        var orphan = orphan(owner, entry.name(), known);
        return orphan.isPresent()
                ? Optional.of(new Step.Adopt(entry.name(), orphan.get()))
                : Optional.of(make(owner, entry.name(), template, known));
    }

    private static boolean isSaid(ClaimOwner owner, PodResourceClaim entry, String claim) {
        return owner.status(entry.name())
                .flatMap(PodResourceClaimStatus::resourceClaimName)
                .equals(Optional.of(claim));
    }

    private static boolean isThere(ClaimOwner owner, String name, Known known) {
        var claim = known.claims().get(owner.beside(name));
        return claim != null && owner.owns(claim);
    }

    /// A claim that was made before somebody could write it down.
    private static Optional<String> orphan(ClaimOwner owner, String entry, Known known) {
        return known.owned().stream()
                .filter(owner::owns)
                .filter(claim -> !claim.metadata().isDeleting())
                .filter(claim -> entryOf(owner.sort(), claim).equals(Optional.of(entry)))
                .map(claim -> claim.metadata().name())
                .min(String::compareTo);
    }

    /// For which entry of its owner a claim was made.
    public static Optional<String> entryOf(ClaimOwner.Sort sort, ResourceClaim claim) {
        return Optional.ofNullable(claim.metadata().annotations().get(sort.annotation()));
    }

    private Step make(ClaimOwner owner, String entry, String name, Known known) {
        var template = known.templates().get(name);
        if (template == null) {
            return new Step.Refuse(
                    entry,
                    "resource claim template \"%s\": resourceclaimtemplate.resource.k8s.io \"%s\""
                                    .formatted(name, name)
                            + " not found");
        }
        var spec = template.spec().spec();
        return gateProblem(spec)
                .<Step>map(problem -> new Step.Refuse(entry, problem))
                .orElseGet(() -> new Step.Make(entry, claim(owner, entry, template)));
    }

    /// The server would drop what the gates do not allow, and the claim would ask for less.
    private Optional<String> gateProblem(ResourceClaimSpec spec) {
        for (var request : spec.requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> {
                    if (exactly.isAdmin() && !gates.enabled(Gate.DRA_ADMIN_ACCESS)) {
                        return Optional.of("the DRAAdminAccess feature gate is off");
                    }
                }
                case DeviceRequest.FirstAvailable _ -> {
                    if (!gates.enabled(Gate.DRA_PRIORITIZED_LIST)) {
                        return Optional.of("the DRAPrioritizedList feature gate is off");
                    }
                }
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        return Optional.empty();
    }

    private static ResourceClaim claim(
            ClaimOwner owner, String entry, ResourceClaimTemplate template) {
        var annotations = new LinkedHashMap<>(template.spec().metadata().annotations());
        annotations.put(owner.sort().annotation(), entry);
        var metadata =
                ObjectMeta.of(owner.ref().namespace(), "")
                        .withGenerateName(prefix(owner.ref().name(), entry))
                        .withLabels(template.spec().metadata().labels())
                        .withAnnotations(annotations)
                        .withOwnerReferences(List.of(owner.reference()));
        return new ResourceClaim(metadata, template.spec().spec(), ResourceClaimStatus.EMPTY);
    }

    /// The beginning of a claim's name, with both parts cut in proportion when they are too long.
    public static String prefix(String owner, String entry) {
        var full = owner + "-" + entry + "-";
        if (full.length() <= MAX_PREFIX) {
            return full;
        }
        return owner.substring(0, owner.length() * MAX_PREFIX / full.length())
                + "-"
                + entry.substring(0, entry.length() * MAX_PREFIX / full.length());
    }

    /// The owner's whole list of claims when these were made or found, sorted by entry.
    public static List<PodResourceClaimStatus> statuses(
            ClaimOwner owner, Map<String, String> claimsByEntry) {
        var byEntry = new TreeMap<String, PodResourceClaimStatus>();
        for (var status : owner.statuses()) {
            byEntry.put(status.name(), status);
        }
        claimsByEntry.forEach((entry, claim) ->
                byEntry.put(entry, new PodResourceClaimStatus(entry, Optional.of(claim))));
        return List.copyOf(byEntry.values());
    }
}
