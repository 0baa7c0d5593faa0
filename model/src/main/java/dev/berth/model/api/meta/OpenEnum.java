package dev.berth.model.api.meta;

import java.util.function.Function;

/// A string enumeration of the API that newer versions can extend.
///
/// Implementations are sealed: an enum `Known`, and a record `Unrecognised` that keeps an unknown
/// value as written.
public interface OpenEnum {

    /// The value in the API.
    String text();

    /// The known value of a text, or an unrecognised one.
    static <W extends OpenEnum> W of(W[] known, String text, Function<String, W> other) {
        for (var one : known) {
            if (one.text().equals(text)) {
                return one;
            }
        }
        return other.apply(text);
    }
}
