package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.ValueWriter;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.time.Rfc3339;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/// Scalar types.
public final class ScalarTypes {

    /// Text that rarely repeats, such as messages and expressions.
    public static final RecordType<String> TEXT = new Text(false);

    /// A name or other short text that repeats from object to object.
    public static final RecordType<String> WORD = new Text(true);

    public static final RecordType<Long> INT64 = new Int("int64", Long.MIN_VALUE, Long.MAX_VALUE);
    public static final RecordType<Long> INT32 =
            new Int("int32", Integer.MIN_VALUE, Integer.MAX_VALUE);
    public static final RecordType<Boolean> BOOL = new Bool();
    public static final RecordType<Quantity> QUANTITY = new Amount();

    /// A time, truncated to seconds as Kubernetes stores it.
    public static final RecordType<Instant> TIME = new Time();

    /// Any JSON, kept as it was written.
    public static final RecordType<Json> RAW = new Raw();

    /// Any JSON object, kept as it was written.
    public static final RecordType<JsonObject> RAW_OBJECT = new RawObject();

    private ScalarTypes() {}

    private static final class Text extends Scalar<String> {
        private final boolean repeats;

        Text(boolean repeats) {
            super("");
            this.repeats = repeats;
        }

        @Override
        public String read(Decoder in) {
            var tokens = in.tokens();
            if (tokens.current() != Token.STRING) {
                in.wrongType("string");
                return "";
            }
            return repeats ? tokens.word(in.interner()) : tokens.text();
        }

        @Override
        public void write(String value, ValueWriter out) {
            out.string(value);
        }
    }

    /// A string with a constant encoding.
    static final class Fixed extends Scalar<String> {
        Fixed(String value) {
            super(value);
        }

        @Override
        public String read(Decoder in) {
            return WORD.read(in);
        }

        @Override
        public void write(String value, ValueWriter out) {
            out.string(value);
        }
    }

    private static final class Int extends Scalar<Long> {
        private final String name;
        private final long min;
        private final long max;

        Int(String name, long min, long max) {
            super(0L);
            this.name = name;
            this.min = min;
            this.max = max;
        }

        @Override
        public Long read(Decoder in) {
            if (in.tokens().current() != Token.NUMBER) {
                in.wrongType(name);
                return 0L;
            }
            var literal = in.tokens().text();
            try {
                var value = Long.parseLong(literal);
                if (value >= min && value <= max) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Reported below, like a number that is too large.
            }
            in.report(new DecodingProblem.OutOfRange(in.path(), name, Decoder.shortened(literal)));
            return 0L;
        }

        @Override
        public void write(Long value, ValueWriter out) {
            out.number(value);
        }
    }

    private static final class Bool extends Scalar<Boolean> {
        Bool() {
            super(false);
        }

        @Override
        public Boolean read(Decoder in) {
            var token = in.tokens().current();
            if (token != Token.TRUE && token != Token.FALSE) {
                in.wrongType("bool");
                return false;
            }
            return token == Token.TRUE;
        }

        @Override
        public void write(Boolean value, ValueWriter out) {
            out.bool(value);
        }
    }

    private static final class Amount extends Scalar<Quantity> {
        Amount() {
            super(Quantity.ZERO);
        }

        /// A quantity may be written without quotes when it is a plain number.
        @Override
        public Quantity read(Decoder in) {
            var token = in.tokens().current();
            if (token != Token.STRING && token != Token.NUMBER) {
                in.wrongType("quantity");
                return Quantity.ZERO;
            }
            var text = in.tokens().word(in.interner()).strip();
            try {
                return in.interner().quantity(text);
            } catch (IllegalArgumentException e) {
                var reason = String.valueOf(e.getMessage());
                in.report(
                        new DecodingProblem.BadQuantity(
                                in.path(), Decoder.shortened(text), reason));
                return Quantity.ZERO;
            }
        }

        @Override
        public void write(Quantity value, ValueWriter out) {
            out.string(value.toString());
        }
    }

    private static final class Time extends Scalar<Instant> {
        private static final Pattern WITH_FRACTION =
                Pattern.compile(
                        "(\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2})([.,]\\d+)?"
                                + "(Z|[+-]\\d{2}:\\d{2})");

        Time() {
            super(Instant.EPOCH);
        }

        @Override
        public Instant read(Decoder in) {
            if (in.tokens().current() != Token.STRING) {
                in.wrongType("time");
                return zero();
            }
            var text = in.tokens().text();
            var time = Rfc3339.isPlain(text) ? Rfc3339.read(text) : inSeconds(text);
            if (time.isEmpty()) {
                in.report(new DecodingProblem.BadTime(in.path(), Decoder.shortened(text)));
            }
            return time.orElseGet(this::zero);
        }

        private static Optional<Instant> inSeconds(String text) {
            var match = WITH_FRACTION.matcher(text);
            return match.matches()
                    ? Rfc3339.read(match.group(1) + match.group(3))
                    : Optional.empty();
        }

        @Override
        public void write(Instant value, ValueWriter out) {
            out.string(Rfc3339.write(value));
        }
    }

    private static final class Raw extends Scalar<Json> {
        Raw() {
            super(JsonNull.INSTANCE);
        }

        @Override
        public Json read(Decoder in) {
            return in.tree();
        }

        @Override
        public void write(Json value, ValueWriter out) {
            out.json(value);
        }
    }

    private static final class RawObject extends Scalar<JsonObject> {
        RawObject() {
            super(JsonObject.EMPTY);
        }

        @Override
        public JsonObject read(Decoder in) {
            if (in.tokens().current() == Token.OBJECT && in.tree() instanceof JsonObject object) {
                return object;
            }
            in.wrongType("object");
            return zero();
        }

        @Override
        public void write(JsonObject value, ValueWriter out) {
            out.json(value);
        }
    }
}
