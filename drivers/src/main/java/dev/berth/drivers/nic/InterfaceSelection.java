package dev.berth.drivers.nic;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.model.api.Uid;
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

/// What interfaces a claim gets, and with what names and addresses.
///
/// Whatever was chosen in an earlier attempt is chosen again.
final class InterfaceSelection {

    private static final int KEY_DIGITS = 10;
    private static final int KEPT_DIGITS = 6;
    private static final int MAX_NAME = 15;

    private final Uid claim;
    private final List<InterfaceLease> earlier;
    private final Set<String> taken = new HashSet<>();

    /// @param earlier leases of the claim
    /// @param all leases of all claims
    InterfaceSelection(Uid claim, List<InterfaceLease> earlier, List<InterfaceLease> all) {
        this.claim = claim;
        this.earlier = List.copyOf(earlier);
        all.forEach(lease -> taken.addAll(lease.addresses()));
    }

    /// What an interface was, which is only asked when it is still there.
    interface Look {
        InterfaceLease.Before before() throws DeviceException;
    }

    /// @param name the request's
    InterfaceLease moved(AssignedDevice<NicParameters> device, String name, Look look)
            throws DeviceException {
        var key = key(name);
        var known = known(key).flatMap(InterfaceLease::before);
        var before = known.isPresent() ? known.get() : look.before();
        var wish = device.parameters();
        return new InterfaceLease(
                device.name(),
                key,
                before.nic().name(),
                wish.name().orElse(before.nic().name()),
                before.nic().mac(),
                wish.addresses().isEmpty() ? before.addresses() : wish.addresses(),
                wish.mtu(),
                wish.routes(),
                Optional.of(before));
    }

    InterfaceLease made(AssignedDevice<NicParameters> device, String name, InterfaceSource madeOf)
            throws DeviceException {
        var key = key(name);
        var wish = device.parameters();
        return new InterfaceLease(
                device.name(),
                key,
                "bth" + key,
                wish.name().orElseGet(() -> podName(name, key)),
                mac(key),
                addresses(key, wish, madeOf),
                wish.mtu(),
                wish.routes(),
                Optional.empty());
    }

    /// What is too long for Linux ends in something that is nobody else's.
    private static String podName(String name, String key) {
        return name.length() <= MAX_NAME
                ? name
                : name.substring(0, MAX_NAME - KEPT_DIGITS) + key.substring(0, KEPT_DIGITS);
    }

    private List<String> addresses(String key, NicParameters wish, InterfaceSource madeOf)
            throws DeviceException {
        if (!wish.addresses().isEmpty()) {
            return wish.addresses();
        }
        var known = known(key);
        if (known.isPresent() && !known.get().addresses().isEmpty()) {
            return known.get().addresses();
        }
        var addresses = new ArrayList<String>();
        if (madeOf.range().isPresent()) {
            var range = madeOf.range().get();
            var free =
                    range.free(taken)
                            .orElseThrow(() ->
                                    new DeviceException(
                                            "%s has no free address for %s; give it more"
                                                    .formatted(range, madeOf.name())));
            taken.add(free);
            addresses.add(free);
        }
        return addresses;
    }

    private Optional<InterfaceLease> known(String key) {
        return earlier.stream().filter(lease -> lease.key().equals(key)).findFirst();
    }

    private String key(String name) {
        return key(claim, name);
    }

    static String key(Uid claim, String name) {
        return digits(claim.value() + "/" + name).substring(0, KEY_DIGITS);
    }

    /// One that nobody sells, and always the same.
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
