package dev.berth.drivers.machine;

/// A device that cannot be made ready or taken back, and what to do about it.
public final class DeviceFailure extends Exception {

    private static final long serialVersionUID = 1;

    public DeviceFailure(String message) {
        super(message);
    }

    public DeviceFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
