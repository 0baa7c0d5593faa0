package dev.berth.server;

import dev.berth.core.admission.Gate;
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

/// The rules that look beyond one object.
final class AdmissionRules {

    private AdmissionRules() {}

    static AdmissionChain all(
            StoredObjects objects,
            Authorizer authorizer,
            SecurityLevel podSecurity,
            List<AdmissionChain.Guard> guards) {
        return new AdmissionChain(
                List.of(
                        new LastingNamespaces(),
                        new OwnNodeOnly(new NodeRestriction(objects, authorizer)),
                        new DeclaredFeatures(),
                        new PodSecurityAdmission(podSecurity),
                        new CertificateAdmission()),
                guards);
    }

    /// Some namespaces stay, whoever asks.
    private record LastingNamespaces() implements AdmissionChain.Rule {

        @Override
        public void onDelete(Resource resource, JsonObject object, RequestContext context) {
            var name = object.objectOrEmpty("metadata").text("name");
            if (resource.collection().equals("namespaces")
                    && BootstrapObjects.LASTING_NAMESPACES.contains(name)) {
                throw ApiError.forbidden(resource.about(name), "this namespace may not be deleted")
                        .exception();
            }
        }
    }

    /// Nodes write only objects and subresources of their own.
    private record OwnNodeOnly(NodeRestriction restriction) implements AdmissionChain.Rule {

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
            // Writes of other subresources have been checked as such.
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
            var attempt =
                    new NodeRestriction.Attempt(
                            operation,
                            about.qualified(),
                            subresource,
                            context.namespace(),
                            name,
                            old,
                            object);
            restriction
                    .problem(context.user(), attempt)
                    .ifPresent(why -> {
                        throw ApiError.forbidden(about, why).exception();
                    });
        }
    }

    /// A slice may draw on what a node can hand out only if that node's agent knows how.
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
            if (!draws(old)) {
                check(resource, object, context);
            }
            return List.of();
        }

        private static void check(Resource resource, JsonObject object, RequestContext context) {
            var node = object.objectOrEmpty("spec").text("nodeName");
            if (!resource.collection().equals("resource.k8s.io/resourceslices")
                    || node.isEmpty()
                    || !context.gates().enabled(Gate.DRA_NODE_ALLOCATABLE_RESOURCES)
                    || !draws(object)) {
                return;
            }
            var declares =
                    context.objects()
                            .get("nodes", "", node)
                            .map(found -> found.objectOrEmpty("status"))
                            .filter(status -> status.strings("declaredFeatures").contains(FEATURE))
                            .isPresent();
            if (!declares) {
                var name = object.objectOrEmpty("metadata").text("name");
                throw ApiError.forbidden(
                                resource.about(name),
                                "nodeAllocatableResources needs node %s to declare the feature %s"
                                        .formatted(node, FEATURE))
                        .exception();
            }
        }

        private static boolean draws(JsonObject slice) {
            return slice.objectOrEmpty("spec").objects("devices").stream()
                    .anyMatch(
                            device -> !device.objectOrEmpty("nodeAllocatableResources").isEmpty());
        }
    }
}
