package dev.berth.model.json;

import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;

/// Two parsers of JSON for untrusted text.
///
/// The default parser looks up names in a symbol table, which all texts share. That is fast, but
/// names can be chosen so that their hashes collide; then it rejects the text. The other creates a
/// string for each name, takes about a third longer, and is immune to collisions.
///
/// @param shared with a symbol table
/// @param plain without one
public record JsonFactories(JsonFactory shared, JsonFactory plain) {

    /// Both parsers, with the same constraints.
    public static JsonFactories of(JsonFactoryBuilder builder) {
        var shared = builder.build();
        var plain = TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES;
        return new JsonFactories(shared, shared.rebuild().disable(plain).build());
    }

    /// True when the symbol table of the default parser could not hold the names of a text. It
    /// usually reports this; some names cause an array index error.
    public static boolean isOverflow(RuntimeException failure) {
        return failure instanceof IndexOutOfBoundsException
                || (failure instanceof StreamConstraintsException limit
                        && String.valueOf(limit.getOriginalMessage()).contains("symbol table"));
    }
}
