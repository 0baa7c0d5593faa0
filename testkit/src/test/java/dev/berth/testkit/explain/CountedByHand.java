package dev.berth.testkit.explain;

import dev.berth.testkit.explain.SmallWorld.Guest;
import dev.berth.testkit.explain.SmallWorld.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What speaks against the places of a small world, found by looking at all guests for each of
/// them; shares no code with those who place pods.
record CountedByHand(SmallWorld world) {

    /// A line for each rule that takes the place from the pod, with its numbers.
    List<String> against(Place place) {
        var wanted = world.wanted();
        var facts = new ArrayList<String>();
        if (place.unschedulable() && !wanted.tolerant()) {
            facts.add("unschedulable");
        }
        if (place.tainted() && !wanted.tolerant()) {
            facts.add("tainted kept");
        }
        if (!isSelected(place)) {
            facts.add("wants zone=" + wanted.inZone());
        }
        if (wanted.port() > 0 && guests(place, guest -> guest.port() == wanted.port()) > 0) {
            facts.add("port " + wanted.port());
        }
        addRoom(place, facts);
        addSpread(place, facts);
        addCompany(place, facts);
        return facts.stream().sorted().toList();
    }

    /// True when the place has the GPUs, by whatever way it offers them.
    boolean hasGpus(Place place) {
        return place.plugin() > 0 || free(place) >= world.wanted().gpus();
    }

    static int free(Place place) {
        return place.devices() - place.held();
    }

    private boolean isSelected(Place place) {
        var zone = world.wanted().inZone();
        return zone.isEmpty() || zone.equals(place.zone());
    }

    private long guests(Place place, Predicate<Guest> counts) {
        return world.guests().stream()
                .filter(guest -> guest.node().equals(place.name()))
                .filter(counts)
                .count();
    }

    private void addRoom(Place place, List<String> facts) {
        var taken =
                world.guests().stream()
                        .filter(guest -> guest.node().equals(place.name()))
                        .mapToInt(Guest::cpu)
                        .sum();
        var asked = world.wanted().cpu();
        if (asked > 0 && asked > place.cpu() - taken) {
            facts.add("cpu %d, %d of %d".formatted(asked, place.cpu() - taken, place.cpu()));
        }
        var gpus = world.wanted().gpus();
        if (place.plugin() > 0 && gpus > place.plugin()) {
            facts.add(
                    "example.com/gpu %d, %d of %d".formatted(gpus, place.plugin(), place.plugin()));
        }
    }

    private void addSpread(Place place, List<String> facts) {
        var wanted = world.wanted();
        if (wanted.maxSkew() == 0) {
            return;
        }
        if (place.zone().isEmpty()) {
            facts.add("no zone to spread over");
            return;
        }
        var zones = new TreeMap<String, Long>();
        for (var other : world.places()) {
            if (!other.zone().isEmpty() && isSelected(other)) {
                var alike = guests(other, guest -> guest.app().equals(wanted.app()));
                zones.merge(other.zone(), alike, Long::sum);
            }
        }
        var fewest = zones.values().stream().mapToLong(Long::longValue).min().orElse(0);
        var then = zones.getOrDefault(place.zone(), 0L) + 1;
        if (then - fewest > wanted.maxSkew()) {
            facts.add(
                    "zone=%s %d, %d and %d"
                            .formatted(place.zone(), then, fewest, wanted.maxSkew()));
        }
    }

    private void addCompany(Place place, List<String> facts) {
        var wanted = world.wanted();
        wanted.near()
                .ifPresent(near -> {
                    var here = place.label(near.key());
                    var anywhere =
                            anyWith(near.key(), Optional.empty(), g -> g.app().equals(near.app()));
                    var nearby = anyWith(near.key(), here, g -> g.app().equals(near.app()));
                    var isFirst = anywhere == 0 && wanted.app().equals(near.app());
                    if (here.isEmpty()) {
                        facts.add("near %s: no %s".formatted(near.app(), near.key()));
                    } else if (nearby == 0 && !isFirst) {
                        facts.add(
                                "near %s: none in %s=%s"
                                        .formatted(near.app(), near.key(), here.get()));
                    }
                });
        wanted.apart()
                .ifPresent(apart -> {
                    var here = place.label(apart.key());
                    var pods = anyWith(apart.key(), here, g -> g.app().equals(apart.app()));
                    if (here.isPresent() && pods > 0) {
                        facts.add(
                                "apart %s: %d in %s=%s"
                                        .formatted(apart.app(), pods, apart.key(), here.get()));
                    }
                });
        for (var key : List.of("host", "zone")) {
            var here = place.label(key);
            var pods = anyWith(key, here, guest -> keepsAway(guest, key));
            if (here.isPresent() && pods > 0) {
                facts.add("%d keep away in %s=%s".formatted(pods, key, here.get()));
                return;
            }
        }
    }

    private boolean keepsAway(Guest guest, String key) {
        return guest.apart()
                .filter(apart -> apart.app().equals(world.wanted().app()))
                .filter(apart -> apart.key().equals(key))
                .isPresent();
    }

    /// How many guests of a kind are where a label has a value, or has any.
    private long anyWith(String key, Optional<String> value, Predicate<Guest> counts) {
        return world.places().stream()
                .filter(place -> place.label(key).isPresent())
                .filter(place -> value.isEmpty() || place.label(key).equals(value))
                .mapToLong(place -> guests(place, counts))
                .sum();
    }
}
