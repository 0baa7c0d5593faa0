package dev.berth.server;

import dev.berth.core.admission.gate.Gate;
import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.admission.CertificateAdmission;
import dev.berth.server.admission.PodSecurityAdmission;
import dev.berth.server.auth.NodeRestriction;
import dev.berth.server.auth.NodeRestriction.Operation;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.Subresource;
import java.util.List;
import java.util.Optional;

/// The admission rules of the server that are independent of kinds.
final class AdmissionRules {

    private AdmissionRules() {}

    static AdmissionChain all(
            StoredObjects objects,
            Authorizer authorizer,
            SecurityLevel podSecurity,
            List<AdmissionChain.Guard> guards) {
        return new AdmissionChain(
                List.of(
                        new SystemNamespaces(),
                        new NodeRestrictionRule(new NodeRestriction(objects, authorizer)),
                        new DeclaredFeatures(),
                        new PodSecurityAdmission(podSecurity),
                        new CertificateAdmission()),
                guards);
    }

    /// Rejects the deletion of system namespaces.
    private record SystemNamespaces() implements AdmissionChain.Rule {

        @Override
        public void onDelete(Resource resource, JsonObject object, RequestContext context) {
            var name = object.objectOrEmpty("metadata").text("name");
            if (resource.collection().equals("namespaces")
                    && BootstrapObjects.SYSTEM_NAMESPACES.contains(name)) {
                throw ApiError.forbidden(resource.about(name), "this namespace may not be deleted")
                        .exception();
            }
        }
    }

    /// NodeRestriction: nodes write only their own objects and subresources.
    private record NodeRestrictionRule(NodeRestriction restriction) implements AdmissionChain.Rule {

        @Override
        public List<String> onCreate(Resource resource, JsonObject object, RequestContext context) {
            check(resource, context, Operation.CREATE, "", Optional.empty(), Optional.of(object));
            return List.of();
        }

        @Override
        public List<String> onUpdate(
                Resource resource,
                ObjectWrites.Part part,
                JsonObject old,
                JsonObject object,
                RequestContext context) {
            // Writes of other subresources have been checked by onSubresource.
            if (part != ObjectWrites.Part.SUBRESOURCE) {
                check(
                        resource,
                        context,
                        Operation.UPDATE,
                        part == ObjectWrites.Part.STATUS ? "status" : "",
                        Optional.of(old),
                        Optional.of(object));
            }
            return List.of();
        }

        @Override
        public void onDelete(Resource resource, JsonObject object, RequestContext context) {
            check(resource, context, Operation.DELETE, "", Optional.of(object), Optional.empty());
        }

        @Override
        public void onSubresource(
                Resource resource,
                Subresource subresource,
                JsonObject parent,
                JsonObject body,
                RequestContext context) {
            check(
                    resource,
                    context,
                    context.verb().equals("create") ? Operation.CREATE : Operation.UPDATE,
                    subresource.name(),
                    Optional.of(parent),
                    Optional.of(body));
        }

        private void check(
                Resource resource,
                RequestContext context,
                Operation operation,
                String subresource,
                Optional<JsonObject> old,
                Optional<JsonObject> object) {
            var name =
                    old.or(() -> object)
                            .map(one -> one.objectOrEmpty("metadata").text("name"))
                            .orElse("");
            var about = resource.about(name);
            var request =
                    new NodeRestriction.WriteRequest(
                            operation,
                            about.qualified(),
                            subresource,
                            context.namespace(),
                            name,
                            old,
                            object);
            restriction
                    .problem(context.user(), request)
                    .ifPresent(message -> {
                        throw ApiError.forbidden(about, message).exception();
                    });
        }
    }

    /// A slice may use node-allocatable resources only if its node declares the feature.
    private record DeclaredFeatures() implements AdmissionChain.Rule {

        private static final String FEATURE = "DRANodeAllocatableResources";

        @Override
        public List<String> onCreate(Resource resource, JsonObject object, RequestContext context) {
            check(resource, object, context);
            return List.of();
        }

        @Override
        public List<String> onUpdate(
                Resource resource,
                ObjectWrites.Part part,
                JsonObject old,
                JsonObject object,
                RequestContext context) {
            if (!usesNodeAllocatable(old)) {
                check(resource, object, context);
            }
            return List.of();
        }

        private static void check(Resource resource, JsonObject object, RequestContext context) {
            var node = object.objectOrEmpty("spec").text("nodeName");
            if (!resource.collection().equals("resource.k8s.io/resourceslices")
                    || node.isEmpty()
                    || !context.gates().enabled(Gate.DRA_NODE_ALLOCATABLE_RESOURCES)
                    || !usesNodeAllocatable(object)) {
                return;
            }
            var isDeclared =
                    context.objects()
                            .get("nodes", "", node)
                            .map(found -> found.objectOrEmpty("status"))
                            .filter(status -> status.strings("declaredFeatures").contains(FEATURE))
                            .isPresent();
            if (!isDeclared) {
                var name = object.objectOrEmpty("metadata").text("name");
                throw ApiError.forbidden(
                                resource.about(name),
                                "nodeAllocatableResources requires node %s to declare feature %s"
                                        .formatted(node, FEATURE))
                        .exception();
            }
        }

        private static boolean usesNodeAllocatable(JsonObject slice) {
            return slice.objectOrEmpty("spec").objects("devices").stream()
                    .anyMatch(
                            device -> !device.objectOrEmpty("nodeAllocatableResources").isEmpty());
        }
    }
}
