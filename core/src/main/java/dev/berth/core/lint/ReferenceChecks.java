package dev.berth.core.lint;

import dev.berth.core.lint.KnownObjects.ReferencedKind;
import dev.berth.core.snapshot.ExtendedResources;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Finds references of pods and claims to objects that do not exist: device classes, claims,
/// templates, requests of claims, extended resources.
public final class ReferenceChecks {

    private static final String NATIVE_DOMAIN = "kubernetes.io";
    private static final int MAX_LISTED = 8;

    private final KnownObjects known;

    public ReferenceChecks(KnownObjects known) {
        this.known = known;
    }

    /// Unknown device classes in the spec of a claim at `path`.
    public List<ManifestFinding> inClaim(JsonObject spec, FieldPath path) {
        var findings = new ArrayList<ManifestFinding>();
        var requests = spec.objectOrEmpty("devices").objects("requests");
        var at = path.child("devices").child("requests");
        for (var i = 0; i < requests.size(); i++) {
            var request = requests.get(i);
            deviceClass(request.objectOrEmpty("exactly"), at.index(i).child("exactly"), findings);
            var alternatives = request.objects("firstAvailable");
            for (var j = 0; j < alternatives.size(); j++) {
                deviceClass(
                        alternatives.get(j),
                        at.index(i).child("firstAvailable").index(j),
                        findings);
            }
        }
        return findings;
    }

    private void deviceClass(JsonObject demand, FieldPath path, List<ManifestFinding> findings) {
        var name = demand.text("deviceClassName");
        if (!name.isEmpty()
                && known.isComplete(ReferencedKind.DEVICE_CLASS, "")
                && !known.classes().contains(name)) {
            findings.add(
                    new ManifestFinding(
                            path.child("deviceClassName"),
                            "there is no DeviceClass %s%s"
                                    .formatted(
                                            name, suggestion(name, known.classes(), "classes"))));
        }
    }

    /// A similar name, or the first of the known names.
    private static String suggestion(String name, Collection<String> known, String what) {
        return SpellingSuggestions.nearestObject(name, known)
                .map("; did you mean %s?"::formatted)
                .orElseGet(() ->
                        known.isEmpty()
                                ? ""
                                : "; %s: %s%s"
                                        .formatted(
                                                what,
                                                String.join(
                                                        ", ",
                                                        known.stream().limit(MAX_LISTED).toList()),
                                                known.size() > MAX_LISTED ? ", …" : ""));
    }

    /// Unknown claims, templates, requests and extended resources in the spec of a pod at `path`.
    public List<ManifestFinding> inPod(JsonObject spec, FieldPath path, String namespace) {
        var findings = new ArrayList<ManifestFinding>();
        var sources = new HashMap<String, ClaimSource>();
        var entries = spec.objects("resourceClaims");
        for (var i = 0; i < entries.size(); i++) {
            var source = source(entries.get(i), namespace);
            var at = path.child("resourceClaims").index(i);
            if (source.isPresent()) {
                sources.put(entries.get(i).text("name"), source.get());
                missing(source.get())
                        .ifPresent(text ->
                                findings.add(
                                        new ManifestFinding(at.child(source.get().field), text)));
            }
        }
        for (var field : List.of("initContainers", "containers")) {
            var containers = spec.objects(field);
            for (var i = 0; i < containers.size(); i++) {
                var at = path.child(field).index(i).child("resources");
                var resources = containers.get(i).objectOrEmpty("resources");
                requestNames(resources, at, sources, findings);
                extendedResources(resources, at, findings);
            }
        }
        return findings;
    }

    /// The claim or template of an entry of `spec.resourceClaims`.
    private record ClaimSource(String field, ReferencedKind kind, ObjectRef ref) {}

    private static Optional<ClaimSource> source(JsonObject entry, String namespace) {
        var claim = entry.text("resourceClaimName");
        if (!claim.isEmpty()) {
            return Optional.of(
                    new ClaimSource(
                            "resourceClaimName",
                            ReferencedKind.CLAIM,
                            new ObjectRef(namespace, claim)));
        }
        var template = entry.text("resourceClaimTemplateName");
        return template.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ClaimSource(
                                "resourceClaimTemplateName",
                                ReferencedKind.TEMPLATE,
                                new ObjectRef(namespace, template)));
    }

    private Optional<String> missing(ClaimSource source) {
        var ref = source.ref;
        if (known.requests(source.kind, ref).isPresent()
                || !known.isComplete(source.kind, ref.namespace())) {
            return Optional.empty();
        }
        return Optional.of(
                "there is no %s %s in namespace %s%s"
                        .formatted(source.kind, ref.name(), ref.namespace(), hint(source)));
    }

    private String hint(ClaimSource source) {
        var elsewhere = known.otherNamespaces(source.kind, source.ref);
        if (!elsewhere.isEmpty()) {
            return "; it exists in namespace %s, which this pod cannot use"
                    .formatted(String.join(", ", elsewhere));
        }
        var other =
                source.kind == ReferencedKind.CLAIM
                        ? ReferencedKind.TEMPLATE
                        : ReferencedKind.CLAIM;
        if (known.requests(other, source.ref).isPresent()) {
            var field =
                    other == ReferencedKind.CLAIM
                            ? "resourceClaimName"
                            : "resourceClaimTemplateName";
            return "; there is a %s of that name: use %s".formatted(other, field);
        }
        return SpellingSuggestions.nearestObject(
                        source.ref.name(), known.names(source.kind, source.ref.namespace()))
                .map("; did you mean %s?"::formatted)
                .orElse("");
    }

    private void requestNames(
            JsonObject resources,
            FieldPath path,
            Map<String, ClaimSource> sources,
            List<ManifestFinding> findings) {
        var claims = resources.objects("claims");
        for (var i = 0; i < claims.size(); i++) {
            var request = claims.get(i).text("request");
            var source = Optional.ofNullable(sources.get(claims.get(i).text("name")));
            var names = source.flatMap(one -> known.requests(one.kind, one.ref));
            if (request.isEmpty() || names.isEmpty() || names.get().contains(request)) {
                continue;
            }
            findings.add(
                    new ManifestFinding(
                            path.child("claims").index(i).child("request"),
                            "%s %s has no request %s%s"
                                    .formatted(
                                            source.get().kind,
                                            source.get().ref.name(),
                                            request,
                                            suggestion(request, names.get(), "requests"))));
        }
    }

    private void extendedResources(
            JsonObject resources, FieldPath path, List<ManifestFinding> findings) {
        if (!known.isComplete(ReferencedKind.DEVICE_CLASS, "")
                || !known.isComplete(ReferencedKind.NODE, "")) {
            return;
        }
        var reported = new TreeSet<String>();
        for (var field : List.of("requests", "limits")) {
            for (var name : resources.objectOrEmpty(field).names()) {
                if (isExtended(name) && !known.resources().contains(name) && reported.add(name)) {
                    findings.add(new ManifestFinding(path.child(field).key(name), unserved(name)));
                }
            }
        }
    }

    /// Extended resources have a domain that is not of Kubernetes itself.
    private static boolean isExtended(String resource) {
        var slash = resource.indexOf('/');
        return slash > 0
                && (resource.startsWith(ExtendedResources.IMPLICIT)
                        || !isNative(resource.substring(0, slash)));
    }

    private static boolean isNative(String domain) {
        return domain.equals(NATIVE_DOMAIN) || domain.endsWith("." + NATIVE_DOMAIN);
    }

    private String unserved(String resource) {
        var extended = known.resources().stream().filter(ReferenceChecks::isExtended).toList();
        return "no DeviceClass serves %s and no node offers it%s"
                .formatted(
                        resource,
                        SpellingSuggestions.nearestObject(resource, extended)
                                .map("; did you mean %s?"::formatted)
                                .orElse(""));
    }
}
