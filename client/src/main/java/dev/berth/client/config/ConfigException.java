package dev.berth.client.config;

/// An invalid client configuration; the message names the place, the reason and the remedy.
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
