package dev.berth.server.admission;

import dev.berth.core.text.GoText;
import dev.berth.model.certificate.CertificateRequest;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.User;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Subresource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

/// CertificateApproval, CertificateSigning and CertificateSubjectRestriction: deciding on a
/// CertificateSigningRequest requires `approve` or `sign` on its signer, and client certificates
/// for the group `system:masters` are rejected.
public final class CertificateAdmission implements AdmissionChain.Rule {

    private static final String GROUP = "certificates.k8s.io";
    private static final String REQUESTS = GROUP + "/certificatesigningrequests";
    private static final String CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";

    @Override
    public List<String> onCreate(Resource resource, JsonObject request, RequestContext context) {
        if (resource.collection().equals(REQUESTS) && signer(request).equals(CLIENT_SIGNER)) {
            checkSubject(resource, request);
        }
        return List.of();
    }

    private static String signer(JsonObject request) {
        return request.objectOrEmpty("spec").text("signerName");
    }

    private static void checkSubject(Resource resource, JsonObject request) {
        try {
            var pem = Base64.getDecoder().decode(request.objectOrEmpty("spec").text("request"));
            var parsed = CertificateRequest.parse(new String(pem, StandardCharsets.ISO_8859_1));
            if (parsed.organizations().contains(User.MASTERS)) {
                throw forbidden(
                        resource,
                        request,
                        "use of %s signer with %s group is not allowed"
                                .formatted(CLIENT_SIGNER, User.MASTERS));
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw forbidden(resource, request, "unable to parse csr: " + e.getMessage());
        }
    }

    private static RuntimeException forbidden(
            Resource resource, JsonObject request, String message) {
        var name = request.objectOrEmpty("metadata").text("name");
        return ApiError.forbidden(resource.about(name), message).exception();
    }

    @Override
    public List<String> onUpdate(
            Resource resource,
            ObjectWrites.Part part,
            JsonObject old,
            JsonObject object,
            RequestContext context) {
        if (part == ObjectWrites.Part.STATUS && resource.collection().equals(REQUESTS)) {
            var before = old.objectOrEmpty("status");
            var after = object.objectOrEmpty("status");
            if (!before.text("certificate").equals(after.text("certificate"))
                    || !before.items("conditions").equals(after.items("conditions"))) {
                checkSigner(resource, old, "sign", context);
            }
        }
        return List.of();
    }

    @Override
    public void onSubresource(
            Resource resource,
            Subresource subresource,
            JsonObject parent,
            JsonObject body,
            RequestContext context) {
        if (resource.collection().equals(REQUESTS) && subresource.name().equals("approval")) {
            checkSigner(resource, parent, "approve", context);
        }
    }

    /// The permission may be on the signer or on all signers of its domain.
    private static void checkSigner(
            Resource resource, JsonObject request, String verb, RequestContext context) {
        var signer = signer(request);
        var domain = signer.substring(0, Math.max(0, signer.indexOf('/')));
        if (!isAllowed(verb, signer, context) && !isAllowed(verb, domain + "/*", context)) {
            throw forbidden(
                    resource,
                    request,
                    "user not permitted to %s requests with signerName %s"
                            .formatted(verb, GoText.quote(signer)));
        }
    }

    private static boolean isAllowed(String verb, String name, RequestContext context) {
        var access =
                AuthorizationRequest.ResourceAttributes.of(
                        context.user(), verb, GROUP, "signers", "");
        return context.authorizer().decide(access.named(name)).isAllowed();
    }
}
