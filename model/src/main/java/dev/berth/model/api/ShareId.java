package dev.berth.model.api;

/// Which share of a device that several claims may use at once.
public record ShareId(DeviceId device, String share) {

    @Override
    public String toString() {
        return device + "/" + share;
    }
}
