package dev.berth.client.config;

/// The settings for reaching a cluster are of no use; the message says where, why and what to do.
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
