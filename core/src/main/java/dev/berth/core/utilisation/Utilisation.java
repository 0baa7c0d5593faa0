package dev.berth.core.utilisation;

/// A number of devices, and how many of them are in use. Partitioned and shared devices are in use
/// in part.
///
/// @param inUse between 0 and `devices`
public record Utilisation(long devices, double inUse) {

    public static final Utilisation NONE = new Utilisation(0, 0);

    /// Sums of shares may differ from whole numbers by rounding errors.
    private static final double TOLERANCE = 1e-9;

    /// The share in use, between 0 and 1.
    public double fraction() {
        return devices == 0 ? 0 : Math.min(1, inUse / devices);
    }

    /// The share in use in percent, rounded down, so that 100 means that all is in use.
    public int percent() {
        return (int) Math.floor(fraction() * 100 + TOLERANCE);
    }

    public Utilisation plus(Utilisation other) {
        return new Utilisation(devices + other.devices, inUse + other.inUse);
    }
}
