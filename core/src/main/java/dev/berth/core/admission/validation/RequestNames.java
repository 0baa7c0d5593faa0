package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The names by which the requests of a claim are referenced: `req` and `req/sub`.
record RequestNames(Map<String, Set<String>> subrequestsByRequest) {

    static RequestNames of(JsonObject devices) {
        var names = new HashMap<String, Set<String>>();
        for (var request : devices.objects("requests")) {
            var subrequests = new HashSet<String>();
            for (var alternative : request.objects("firstAvailable")) {
                subrequests.add(alternative.text("name"));
            }
            names.put(request.text("name"), subrequests);
        }
        return new RequestNames(names);
    }

    private boolean contains(String reference) {
        var slash = reference.indexOf('/');
        if (slash < 0) {
            return subrequestsByRequest.containsKey(reference);
        }
        return subrequestsByRequest
                .getOrDefault(reference.substring(0, slash), Set.of())
                .contains(reference.substring(slash + 1));
    }

    /// Validates the request references of a constraint or configuration.
    void checkAll(List<String> references, FieldPath path, FieldErrors problems) {
        problems.set(
                references,
                ClaimValidation.MAX_REQUESTS,
                path,
                FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                (reference, at) -> check(reference, at, problems),
                Json::of);
    }

    void check(String reference, FieldPath path, FieldErrors problems) {
        var segments = reference.split("/", -1);
        if (segments.length <= 2) {
            for (var segment : segments) {
                problems.addAll(DeviceNameValidation.label(segment, path));
            }
        }
        if (segments.length > 2 || !contains(reference)) {
            problems.add(
                    FieldError.invalid(
                            path,
                            reference,
                            "must be the name of a request in the claim or the name of a request "
                                    + "and a subrequest separated by '/'"));
        }
    }
}
