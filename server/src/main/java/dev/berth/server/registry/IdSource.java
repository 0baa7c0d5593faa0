package dev.berth.server.registry;

import java.security.SecureRandom;
import java.util.UUID;

/// Generates UIDs and suffixes of generated names.
public interface IdSource {

    /// A new UID.
    String uid();

    /// Five letters and digits that make a generated name unlikely to collide.
    String suffix();

    /// Random identifiers.
    static IdSource random() {
        return new IdSource() {
            // Without vowels no words appear by accident; without 0, 1 and 3 nothing is misread.
            private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
            private final SecureRandom random = new SecureRandom();

            @Override
            public String uid() {
                return UUID.randomUUID().toString();
            }

            @Override
            public String suffix() {
                var text = new StringBuilder();
                for (var i = 0; i < 5; i++) {
                    text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                }
                return text.toString();
            }
        };
    }
}
