package dev.berth.server.registry;

import dev.berth.server.patch.ServerSideApply;
import java.time.Instant;

/// In whose name fields are written.
///
/// @param manager the field manager
/// @param apiVersion in which the writer speaks
/// @param subresource that is written through; empty for none
/// @param applies true for server-side apply, which has settled who owns what by itself
public record FieldManager(String manager, String apiVersion, String subresource, boolean applies) {

    /// A manager's name is at most this long.
    public static final int MAX_MANAGER = 128;

    public FieldManager(String manager, String apiVersion, String subresource) {
        this(manager, apiVersion, subresource, false);
    }

    /// The server itself.
    public static FieldManager server(Resource resource) {
        return new FieldManager("berth", resource.apiVersion(resource.version()), "");
    }

    /// The same writer, by server-side apply.
    public FieldManager applying() {
        return new FieldManager(manager, apiVersion, subresource, true);
    }

    /// The same writer, at a time.
    public ServerSideApply.Writer at(Instant now) {
        return new ServerSideApply.Writer(manager, apiVersion, subresource, now);
    }
}
