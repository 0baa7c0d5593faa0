package dev.berth.core.lint;

import dev.berth.model.json.FieldPath;

/// A likely mistake in a manifest that the API server accepts.
public record ManifestFinding(FieldPath path, String text) {}
