package dev.berth.app.cluster;

import dev.berth.client.ResourcePath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Resources that the user may not list, and the command with which an administrator permits it.
public final class MissingPermissions {

    /// The ClusterRole of every Berth server with all that these commands read.
    static final String ROLE = "berth-reader";

    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    private final Set<String> everywhere = new LinkedHashSet<>();
    private final Set<String> elsewhere = new LinkedHashSet<>();

    /// Adds a resource that the user may not list at all.
    public MissingPermissions with(ResourcePath resource) {
        everywhere.add(resource.plural());
        return this;
    }

    /// Adds a resource that the user may list in one namespace only.
    public void addOtherNamespaces(ResourcePath resource) {
        elsewhere.add(resource.plural());
    }

    /// Whether a resource may not be listed at all.
    boolean hasDeniedKind() {
        return !everywhere.isEmpty();
    }

    public boolean isEmpty() {
        return everywhere.isEmpty() && elsewhere.isEmpty();
    }

    /// `nodes, resourceslices and pods of other namespaces`.
    public String resources() {
        var all = new ArrayList<>(everywhere);
        elsewhere.forEach(name -> all.add(name + " of other namespaces"));
        return listed(all);
    }

    private static String listed(List<String> names) {
        var last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    /// Which permissions are missing, and how to get them.
    ///
    /// @param user name by which the server knows the user; empty if it is unknown
    public String text(String user) {
        return """
        %s may not list %s. \
        The ClusterRole %s permits it; an administrator can bind it with
          kubectl create clusterrolebinding %s --clusterrole=%s %s
        Berth servers have this role. For other clusters, apply deploy/berth-reader.yaml first.\
        """
                .formatted(
                        user.isEmpty() ? "this user" : user,
                        resources(),
                        ROLE,
                        ROLE + "-" + shortName(user),
                        ROLE,
                        subject(user));
    }

    private static String shortName(String user) {
        var name = serviceAccount(user).map(one -> one.get(1)).orElse(user);
        var plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]+", "-");
        return plain.isEmpty() ? "NAME" : plain;
    }

    private static String subject(String user) {
        return serviceAccount(user)
                .map(one -> "--serviceaccount=%s:%s".formatted(one.getFirst(), one.getLast()))
                .orElseGet(() -> "--user=" + (user.isEmpty() ? "NAME" : user));
    }

    /// Namespace and name of a service account.
    private static Optional<List<String>> serviceAccount(String user) {
        var parts =
                user.startsWith(SERVICE_ACCOUNT)
                        ? List.of(user.substring(SERVICE_ACCOUNT.length()).split(":", -1))
                        : List.<String>of();
        return parts.size() == 2 ? Optional.of(parts) : Optional.empty();
    }
}
