package dev.berth.core.place;

/// The nodes that have one value of a label, such as those of a zone.
record Domain(String key, String value) {}
