package dev.berth.app.simulation;

import java.util.List;

/// How often things go wrong: once in so many times, never for 0.
///
/// @param refused writes that are not carried out
/// @param unanswered writes that are carried out, but nobody gets to know
/// @param unread reads that are not answered
/// @param meddled writes before which somebody else changes the object
record Faultiness(int refused, int unanswered, int unread, int meddled) {

    static final Faultiness NONE = new Faultiness(0, 0, 0, 0);

    static Faultiness of(Chance chance) {
        return new Faultiness(
                chance.pick(List.of(0, 6, 15, 40)),
                chance.pick(List.of(0, 6, 15, 40)),
                chance.pick(List.of(0, 4, 10, 40)),
                chance.pick(List.of(0, 4, 15, 40)));
    }
}
