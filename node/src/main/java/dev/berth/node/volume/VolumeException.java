package dev.berth.node.volume;

/// A volume cannot be mounted; the message names the problem and the remedy.
public final class VolumeException extends Exception {

    private static final long serialVersionUID = 1;

    public VolumeException(String message) {
        super(message);
    }

    public VolumeException(String message, Throwable cause) {
        super(message, cause);
    }
}
