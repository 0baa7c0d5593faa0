package dev.berth.model.api;

import java.util.function.Function;

/// One of a few words, some of which this version knows.
///
/// Types of words are sealed: an enum `Known`, and a record `Unrecognised` that keeps the word of a
/// newer API as it was written.
public interface OpenEnum {

    /// The word as the API spells it.
    String text();

    /// The known word that is spelled so, or else one of a newer API.
    static <W extends OpenEnum> W of(W[] known, String text, Function<String, W> other) {
        for (var one : known) {
            if (one.text().equals(text)) {
                return one;
            }
        }
        return other.apply(text);
    }
}
