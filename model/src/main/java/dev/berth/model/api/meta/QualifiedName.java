package dev.berth.model.api.meta;

import org.jspecify.annotations.Nullable;

/// The full name of an attribute or capacity: the domain that defines it and its identifier.
///
/// In the API the domain is optional when it is the driver's own; here it is always present.
public record QualifiedName(String domain, String id) {

    /// Reads `id` or `domain/id`, split at the first slash; without one the driver is the domain.
    public static QualifiedName of(String name, String driver) {
        var slash = name.indexOf('/');
        return slash < 0
                ? new QualifiedName(driver, name)
                : new QualifiedName(name.substring(0, slash), name.substring(slash + 1));
    }

    // Written by hand because selectors look up names for every device: identifiers differ more
    // often than domains, and strings cache their hashes.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof QualifiedName that
                        && id.equals(that.id)
                        && domain.equals(that.domain));
    }

    @Override
    public int hashCode() {
        return domain.hashCode() * 31 + id.hashCode();
    }

    @Override
    public String toString() {
        return domain + "/" + id;
    }
}
