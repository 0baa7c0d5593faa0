package dev.berth.model.api.taint;

import dev.berth.model.api.slice.DeviceId;
import java.util.Optional;

/// Selects the devices of a taint rule: those that match every field that is set.
public record DeviceTaintSelector(
        Optional<String> driver, Optional<String> pool, Optional<String> device) {

    public boolean matches(DeviceId id) {
        return driver.map(id.driver()::equals).orElse(true)
                && pool.map(id.pool()::equals).orElse(true)
                && device.map(id.device()::equals).orElse(true);
    }
}
