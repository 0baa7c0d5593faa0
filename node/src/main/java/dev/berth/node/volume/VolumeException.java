package dev.berth.node.volume;

/// A volume cannot be had, with what is wrong and what to do in the message.
public final class VolumeException extends Exception {

    private static final long serialVersionUID = 1;

    public VolumeException(String message) {
        super(message);
    }

    public VolumeException(String message, Throwable cause) {
        super(message, cause);
    }
}
