package dev.berth.drivers.nic;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Addresses of which each claim gets one, such as `10.1.2.0/24`.
///
/// The first is for the machine, the last of IPv4 means all.
record AddressRange(BigInteger network, int prefix, int bytes) {

    /// So many are tried; whoever has more claims on a node needs a larger net for each.
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
        // Two addresses and one for all are the least that make sense.
        if (prefix < 1 || prefix > bits - 2) {
            return Optional.empty();
        }
        var host = bits - prefix;
        var network = new BigInteger(1, raw).shiftRight(host).shiftLeft(host);
        return Optional.of(new AddressRange(network, prefix, raw.length));
    }

    /// An address as it is written, never a name that somebody would have to look up.
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

    /// The machine's own, without the length of the prefix.
    String machine() {
        return text(1);
    }

    /// The first that is free, with the length of the prefix.
    ///
    /// @param taken with the length of the prefix
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
