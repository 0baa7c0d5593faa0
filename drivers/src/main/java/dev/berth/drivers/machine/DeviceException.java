package dev.berth.drivers.machine;

/// A device that cannot be made ready or taken back, and what to do about it.
public final class DeviceException extends Exception {

    private static final long serialVersionUID = 1;

    public DeviceException(String message) {
        super(message);
    }

    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
