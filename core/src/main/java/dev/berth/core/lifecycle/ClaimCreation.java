package dev.berth.core.lifecycle;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.PodClaimSource;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Decides which claims to create from templates, one for each entry of a pod or pod group.
public final class ClaimCreation {

    /// A generated name is this prefix, a hyphen and five characters; 63 are allowed.
    private static final int MAX_PREFIX = 57;

    /// The inputs that a decision is based on.
    ///
    /// @param claims existing claims that the owner's status names
    /// @param owned all claims with the owner as their controller
    /// @param ofGroup for pods: the claims of their group, by template and name of the entry
    public record Inputs(
            Map<ObjectRef, ResourceClaim> claims,
            Collection<ResourceClaim> owned,
            Map<String, ResourceClaimTemplate> templates,
            GroupClaims ofGroup) {}

    /// The claims of a pod's group.
    ///
    /// @param entries of the group
    /// @param names of created claims, by entry
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

        /// An entry equal to one of the group refers to the claim of the group.
        private boolean has(PodResourceClaim entry) {
            return entries.contains(entry);
        }
    }

    /// The step for one entry of a pod or pod group.
    public sealed interface Step {

        String entry();

        /// A claim exists, but is missing in the owner's status.
        record Adopt(String entry, String claim) implements Step {}

        /// A claim has to be created.
        record Create(String entry, ResourceClaim claim) implements Step {}

        /// No claim can be created at present.
        record Fail(String entry, String message) implements Step {}
    }

    private final FeatureGates gates;

    public ClaimCreation(FeatureGates gates) {
        this.gates = gates;
    }

    /// The steps for an owner; empty when its status is complete.
    public List<Step> steps(ClaimOwner owner, Inputs inputs) {
        var steps = new ArrayList<Step>();
        for (var entry : owner.entries()) {
            if (entry.source() instanceof PodClaimSource.TemplateName(var template)) {
                step(owner, entry, template, inputs).ifPresent(steps::add);
            }
        }
        return steps;
    }

    private Optional<Step> step(
            ClaimOwner owner, PodResourceClaim entry, String template, Inputs inputs) {
        if (inputs.ofGroup().has(entry)) {
            return Optional.ofNullable(inputs.ofGroup().names().get(entry.name()))
                    .filter(name -> !isRecorded(owner, entry, name))
                    .map(name -> new Step.Adopt(entry.name(), name));
        }
        var status = owner.status(entry.name());
        if (status.isPresent()) {
            var name = status.get().resourceClaimName();
            if (name.isEmpty() || exists(owner, name.get(), inputs)) {
                return Optional.empty();
            }
        }
        var orphan = orphan(owner, entry.name(), inputs);
        return orphan.isPresent()
                ? Optional.of(new Step.Adopt(entry.name(), orphan.get()))
                : Optional.of(create(owner, entry.name(), template, inputs));
    }

    private static boolean isRecorded(ClaimOwner owner, PodResourceClaim entry, String claim) {
        return owner.status(entry.name())
                .flatMap(PodResourceClaimStatus::resourceClaimName)
                .equals(Optional.of(claim));
    }

    private static boolean exists(ClaimOwner owner, String name, Inputs inputs) {
        var claim = inputs.claims().get(owner.claimRef(name));
        return claim != null && owner.owns(claim);
    }

    /// A claim that was created without being recorded in the status.
    private static Optional<String> orphan(ClaimOwner owner, String entry, Inputs inputs) {
        return inputs.owned().stream()
                .filter(owner::owns)
                .filter(claim -> !claim.metadata().isDeleting())
                .filter(claim -> entryOf(owner.type(), claim).equals(Optional.of(entry)))
                .map(claim -> claim.metadata().name())
                .min(String::compareTo);
    }

    /// The entry of the owner that a claim was created for.
    public static Optional<String> entryOf(ClaimOwner.Type sort, ResourceClaim claim) {
        return Optional.ofNullable(claim.metadata().annotations().get(sort.annotation()));
    }

    private Step create(ClaimOwner owner, String entry, String name, Inputs inputs) {
        var template = inputs.templates().get(name);
        if (template == null) {
            return new Step.Fail(
                    entry,
                    "resource claim template \"%s\": resourceclaimtemplate.resource.k8s.io \"%s\""
                                    .formatted(name, name)
                            + " not found");
        }
        var spec = template.spec().spec();
        return gateProblem(spec)
                .<Step>map(problem -> new Step.Fail(entry, problem))
                .orElseGet(() -> new Step.Create(entry, claim(owner, entry, template)));
    }

    /// The server would drop fields of disabled gates, and the claim would request less.
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
        annotations.put(owner.type().annotation(), entry);
        var metadata =
                ObjectMeta.of(owner.ref().namespace(), "")
                        .withGenerateName(prefix(owner.ref().name(), entry))
                        .withLabels(template.spec().metadata().labels())
                        .withAnnotations(annotations)
                        .withOwnerReferences(List.of(owner.reference()));
        return new ResourceClaim(metadata, template.spec().spec(), ResourceClaimStatus.EMPTY);
    }

    /// The error of a refused claim with the prefix of its generated name instead of the name, so
    /// that the errors of all tries are equal and become one event.
    public static String withoutGeneratedName(ResourceClaim claim, String error) {
        var prefix = claim.metadata().generateName();
        return error.replaceAll(
                "\"%s[a-z0-9]{5}\"".formatted(Pattern.quote(prefix)),
                Matcher.quoteReplacement('"' + prefix + '"'));
    }

    /// The prefix of a claim's name; both parts are cut in proportion when they are too long.
    public static String prefix(String owner, String entry) {
        var full = owner + "-" + entry + "-";
        if (full.length() <= MAX_PREFIX) {
            return full;
        }
        return owner.substring(0, owner.length() * MAX_PREFIX / full.length())
                + "-"
                + entry.substring(0, entry.length() * MAX_PREFIX / full.length());
    }

    /// The owner's complete `resourceClaimStatuses` with these claims, sorted by entry.
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
