package dev.berth.server.registry;

import dev.berth.server.patch.ServerSideApply;
import java.time.Instant;

/// The field manager of a write, as recorded in `managedFields`.
///
/// @param manager name of the field manager
/// @param apiVersion version of the written object
/// @param subresource the written subresource; empty for none
/// @param applies true for server-side apply, which computes ownership itself
public record FieldManager(String manager, String apiVersion, String subresource, boolean applies) {

    /// Maximum length of a manager's name.
    public static final int MAX_MANAGER = 128;

    public FieldManager(String manager, String apiVersion, String subresource) {
        this(manager, apiVersion, subresource, false);
    }

    /// The field manager of writes by the server itself.
    public static FieldManager server(Resource resource) {
        return new FieldManager("berth", resource.apiVersion(resource.version()), "");
    }

    /// The same manager with server-side apply.
    public FieldManager applying() {
        return new FieldManager(manager, apiVersion, subresource, true);
    }

    /// The same manager with a timestamp.
    public ServerSideApply.Writer at(Instant now) {
        return new ServerSideApply.Writer(manager, apiVersion, subresource, now);
    }
}
