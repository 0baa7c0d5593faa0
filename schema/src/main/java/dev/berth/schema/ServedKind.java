package dev.berth.schema;

import dev.berth.schema.SchemaType.Struct;
import java.util.List;
import java.util.Set;

/// A built-in kind that is served by its schema alone.
///
/// @param versions preferred first
/// @param struct type in the preferred version
/// @param verbs of the resource; empty for all
/// @param flags words after the plural in `@served`
/// @param nameFormat the format of `metadata.name`
/// @param storedOnly the warning for writers if no controller acts on the kind; else empty
/// @param nameCell the template of the first column
public record ServedKind(
        String group,
        List<String> versions,
        String kind,
        Struct struct,
        String plural,
        Set<Flag> flags,
        List<String> verbs,
        List<String> shortNames,
        List<String> categories,
        String nameFormat,
        String storedOnly,
        String nameCell,
        List<Column> columns,
        List<String> selectable) {

    /// Properties of a served kind.
    public enum Flag {
        /// The kind is namespaced.
        NAMESPACED,
        /// There is a `/status` subresource.
        STATUS,
        /// `metadata.generation` counts changes of all but metadata and status.
        GENERATION,
        /// An update may omit `metadata.resourceVersion`.
        UNCONDITIONAL,
        /// The response to a deletion is the object and not a Status.
        RETURNS_OBJECT
    }

    /// A column of `kubectl get` after that of the name.
    ///
    /// @param cell the template of its cells
    /// @param wide true if only `-o wide` shows it
    public record Column(String name, String type, String cell, String description, boolean wide) {}

    public ServedKind {
        versions = List.copyOf(versions);
        flags = Set.copyOf(flags);
        verbs = List.copyOf(verbs);
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        columns = List.copyOf(columns);
        selectable = List.copyOf(selectable);
    }

    /// The warning about a kind that no controller acts on.
    public static String storedOnlyWarning(String kind) {
        return "Berth stores " + kind + " objects; no controller acts on them";
    }

    public boolean is(Flag flag) {
        return flags.contains(flag);
    }
}
