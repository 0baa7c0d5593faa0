package dev.berth.app.sdk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// Reads pom and settings files of Maven.
final class Pom {

    private static final String NO_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";

    private Pom() {}

    /// The version that a pom has itself.
    static String version(Path pom) throws IOException {
        return text(pom, "version")
                .orElseThrow(() -> new IOException(pom + " has no <version> of its own"));
    }

    /// The text of an element directly below the root.
    static Optional<String> text(Path file, String element) throws IOException {
        try {
            var factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(NO_DOCTYPE, true);
            var root = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
            for (var child = root.getFirstChild(); child != null; child = child.getNextSibling()) {
                if (child instanceof Element found && found.getTagName().equals(element)) {
                    return Optional.of(found.getTextContent().strip());
                }
            }
            return Optional.empty();
        } catch (SAXException e) {
            throw new IOException("%s is not XML: %s".formatted(file, e.getMessage()), e);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK's own parser knows its features", e);
        }
    }
}
