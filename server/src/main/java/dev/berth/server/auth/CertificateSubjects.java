package dev.berth.server.auth;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/// Reads subject and names of certificates.
final class CertificateSubjects {

    /// @param commonName empty when there is none
    record Subject(String commonName, List<String> organizations) {
        Subject {
            organizations = List.copyOf(organizations);
        }
    }

    private CertificateSubjects() {}

    static Subject of(X509Certificate certificate) {
        var name = "";
        var organizations = new ArrayList<String>();
        try {
            for (var rdn :
                    new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                name = value(rdn, "CN", name);
                var organization = value(rdn, "O", "");
                if (!organization.isEmpty()) {
                    organizations.add(organization);
                }
            }
        } catch (InvalidNameException e) {
            return new Subject("", List.of());
        }
        return new Subject(name, organizations);
    }

    private static String value(Rdn rdn, String type, String otherwise)
            throws InvalidNameException {
        try {
            var attribute = rdn.toAttributes().get(type);
            return attribute != null && attribute.get() instanceof String text ? text : otherwise;
        } catch (InvalidNameException e) {
            throw e;
        } catch (NamingException e) {
            return otherwise;
        }
    }

    /// The subject alternative names of a certificate, sorted.
    static Set<String> names(X509Certificate certificate) {
        var names = new TreeSet<String>();
        try {
            var found = certificate.getSubjectAlternativeNames();
            for (var one : found == null ? List.<List<?>>of() : found) {
                if (one.get(1) instanceof String text) {
                    names.add(text);
                }
            }
        } catch (CertificateParsingException e) {
            return Set.of();
        }
        return names;
    }
}
