package dev.berth.model.api.claim;

import dev.berth.model.api.slice.DeviceId;

/// Identity of a share of a device that several claims can use.
public record ShareId(DeviceId device, String share) implements Comparable<ShareId> {

    @Override
    public int compareTo(ShareId other) {
        var byDevice = device.compareTo(other.device);
        return byDevice == 0 ? share.compareTo(other.share) : byDevice;
    }

    @Override
    public String toString() {
        return device + "/" + share;
    }
}
