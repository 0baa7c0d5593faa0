package dev.berth.node.endpoint;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;

/// Reads the names in certificates.
final class CertificateNames {

    private CertificateNames() {}

    /// The common name; empty when there is none.
    static String commonName(X500Principal subject) {
        try {
            for (var part : new LdapName(subject.getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")
                        && part.getValue() instanceof String name) {
                    return name;
                }
            }
            return "";
        } catch (InvalidNameException _) {
            return "";
        }
    }
}
