package dev.berth.drivers.nic;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.driver.AssignedDevice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Selects names and addresses for the interfaces of a claim.
///
/// Selections of an earlier attempt are repeated.
final class InterfaceSelection {

    private static final int KEY_DIGITS = 10;
    private static final int SUFFIX_DIGITS = 6;
    private static final int MAX_NAME = 15;

    private final Uid claim;
    private final List<InterfaceLease> earlier;
    private final Set<String> taken = new HashSet<>();

    /// @param earlier leases of an earlier attempt for the claim
    /// @param all leases of all claims
    InterfaceSelection(Uid claim, List<InterfaceLease> earlier, List<InterfaceLease> all) {
        this.claim = claim;
        this.earlier = List.copyOf(earlier);
        all.forEach(lease -> taken.addAll(lease.addresses()));
    }

    /// Reads the original state of an interface; only called while it has not been moved.
    interface OriginalStateReader {
        InterfaceLease.OriginalState original() throws DeviceException;
    }

    /// @param name name of the request
    InterfaceLease moved(
            AssignedDevice<NicParameters> device, String name, OriginalStateReader reader)
            throws DeviceException {
        var key = key(name);
        var earlierLease = earlierLease(key).flatMap(InterfaceLease::original);
        var original = earlierLease.isPresent() ? earlierLease.get() : reader.original();
        var parameters = device.parameters();
        return new InterfaceLease(
                device.name(),
                key,
                original.nic().name(),
                parameters.name().orElse(original.nic().name()),
                original.nic().mac(),
                parameters.addresses().isEmpty() ? original.addresses() : parameters.addresses(),
                parameters.mtu(),
                parameters.routes(),
                Optional.of(original));
    }

    InterfaceLease made(AssignedDevice<NicParameters> device, String name, InterfaceSource source)
            throws DeviceException {
        var key = key(name);
        var parameters = device.parameters();
        return new InterfaceLease(
                device.name(),
                key,
                "bth" + key,
                parameters.name().orElseGet(() -> podName(name, key)),
                mac(key),
                addresses(key, parameters, source),
                parameters.mtu(),
                parameters.routes(),
                Optional.empty());
    }

    /// Names beyond the limit of Linux are truncated and get a unique suffix.
    private static String podName(String name, String key) {
        return name.length() <= MAX_NAME
                ? name
                : name.substring(0, MAX_NAME - SUFFIX_DIGITS) + key.substring(0, SUFFIX_DIGITS);
    }

    private List<String> addresses(String key, NicParameters parameters, InterfaceSource source)
            throws DeviceException {
        if (!parameters.addresses().isEmpty()) {
            return parameters.addresses();
        }
        var earlierLease = earlierLease(key);
        if (earlierLease.isPresent() && !earlierLease.get().addresses().isEmpty()) {
            return earlierLease.get().addresses();
        }
        var addresses = new ArrayList<String>();
        if (source.range().isPresent()) {
            var range = source.range().get();
            var free =
                    range.free(taken)
                            .orElseThrow(() ->
                                    new DeviceException(
                                            ("%s has no free address for %s; configure a larger"
                                                            + " range")
                                                    .formatted(range, source.name())));
            taken.add(free);
            addresses.add(free);
        }
        return addresses;
    }

    private Optional<InterfaceLease> earlierLease(String key) {
        return earlier.stream().filter(lease -> lease.key().equals(key)).findFirst();
    }

    private String key(String name) {
        return key(claim, name);
    }

    static String key(Uid claim, String name) {
        return digits(claim.value() + "/" + name).substring(0, KEY_DIGITS);
    }

    /// A locally administered MAC address (02:…), derived from the claim, so stable.
    private static String mac(String key) {
        var digits = digits("mac " + key);
        var mac = new StringBuilder("02");
        for (var i = 0; i < 10; i += 2) {
            mac.append(':').append(digits, i, i + 2);
        }
        return mac.toString();
    }

    private static String digits(String text) {
        try {
            var sum =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
