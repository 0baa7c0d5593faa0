package dev.berth.drivers.machine;

/// Preparing or unpreparing a device failed; the message contains the remedy.
public final class DeviceException extends Exception {

    private static final long serialVersionUID = 1;

    public DeviceException(String message) {
        super(message);
    }

    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
