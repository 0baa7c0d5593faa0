package dev.berth.app.print;

/// How an answer is written.
public enum Output {
    TABLE,
    JSON,
    YAML
}
