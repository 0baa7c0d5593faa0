package dev.berth.drivers.nic;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// An IP address range such as `10.1.2.0/24`, from which each claim gets an address.
///
/// The first address belongs to the machine; the last one of IPv4 is the broadcast address.
record AddressRange(BigInteger network, int prefix, int bytes) {

    /// Maximum number of addresses that are tried.
    private static final int MAX_TRIED = 1 << 16;

    private static final Pattern FORM = Pattern.compile("([0-9a-fA-F.:]+)/([0-9]{1,3})");

    static Optional<AddressRange> tryParse(String text) {
        var match = FORM.matcher(text);
        return match.matches()
                ? address(match.group(1)).flatMap(raw -> of(raw, Integer.parseInt(match.group(2))))
                : Optional.empty();
    }

    private static Optional<AddressRange> of(byte[] raw, int prefix) {
        var bits = raw.length * Byte.SIZE;
        // A range needs at least a machine address, a pod address and a broadcast address.
        if (prefix < 1 || prefix > bits - 2) {
            return Optional.empty();
        }
        var host = bits - prefix;
        var network = new BigInteger(1, raw).shiftRight(host).shiftLeft(host);
        return Optional.of(new AddressRange(network, prefix, raw.length));
    }

    /// Parses a literal address; never resolves host names.
    static Optional<byte[]> address(String text) {
        if (!text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text).getAddress());
        } catch (UnknownHostException _) {
            return Optional.empty();
        }
    }

    /// The address of the machine, without prefix length.
    String machine() {
        return text(1);
    }

    /// The first free address, with prefix length.
    ///
    /// @param taken assigned addresses, with prefix length
    Optional<String> free(Set<String> taken) {
        var size = bytes * Byte.SIZE - prefix;
        var last = size > 16 ? MAX_TRIED : (1L << size) - 2;
        for (var i = 2L; i <= last; i++) {
            var one = text(i) + "/" + prefix;
            if (!taken.contains(one)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private String text(long index) {
        var raw = network.add(BigInteger.valueOf(index)).toByteArray();
        var whole = new byte[bytes];
        var count = Math.min(raw.length, bytes);
        System.arraycopy(raw, raw.length - count, whole, bytes - count, count);
        try {
            return InetAddress.getByAddress(whole).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return text(0) + "/" + prefix;
    }
}
