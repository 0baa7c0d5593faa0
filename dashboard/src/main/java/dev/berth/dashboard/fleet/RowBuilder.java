package dev.berth.dashboard.fleet;

import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.utilisation.PoolDeviceStates;
import dev.berth.core.utilisation.PoolDeviceStates.CellUse;
import dev.berth.core.utilisation.PoolDeviceStates.DeviceUse;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Builds the state of one row of the fleet: a letter per device, holders, partitions, amounts.
final class RowBuilder {

    private final Ledger ledger;
    private final HolderTable holders;
    private final ClaimStates claims;
    private final boolean knowsClaims;

    private final StringBuilder letters = new StringBuilder();
    private final List<int[]> holds = new ArrayList<>();
    private final List<Json> units = new ArrayList<>();
    private final List<Json> amounts = new ArrayList<>();
    private final List<Json> taints = new ArrayList<>();
    private final List<Json> health = new ArrayList<>();
    private final List<Json> attach = new ArrayList<>();

    /// A share of a device that a claim holds.
    private record Held(ResourceClaim claim, AllocatedDevice device) {}

    /// @param knowsClaims whether the user may read claims
    RowBuilder(Ledger ledger, HolderTable holders, ClaimStates claims, boolean knowsClaims) {
        this.ledger = ledger;
        this.holders = holders;
        this.claims = claims;
        this.knowsClaims = knowsClaims;
    }

    /// Adds the devices of a section.
    void add(DeviceSection section, NodeShape shape) {
        var pool = section.pool();
        var held = ledger.poolHoldings(pool.id());
        var states = PoolDeviceStates.of(pool, section.layout(), held);
        var byDevice = byDevice(held);
        for (var row : section.rows()) {
            var position = letters.length();
            var mine = byDevice.getOrDefault(pool.deviceName(row), List.of());
            var effect = taints(pool.traits(row).taints(), position);
            var isHealthy = mine.stream().noneMatch(one -> addProblem(one, position));
            letters.append(
                    pool.isUsable() ? letter(states.use(row), effect, isHealthy, mine) : '-');
            for (var one : mine) {
                addHolder(one, position, shape.devices().get(position));
            }
        }
        if (section.isWhole()) {
            for (var unit : states.partitioned()) {
                units.add(
                        Json.array(JsonLists.decimal(unit.inUse()), Json.of(cells(unit.cells()))));
            }
        }
    }

    private Map<String, List<Held>> byDevice(PoolHoldings held) {
        var byDevice = new HashMap<String, List<Held>>();
        held.forEach((ref, devices) ->
                ledger.claim(ref)
                        .ifPresent(claim -> {
                            for (var device : devices) {
                                byDevice.computeIfAbsent(
                                                device.id().device(), _ -> new ArrayList<>())
                                        .add(new Held(claim, device));
                            }
                        }));
        return byDevice;
    }

    /// Adds the taints of a device; returns the strongest effect.
    private TaintEffect taints(List<DeviceTaint> all, int position) {
        var strongest = TaintEffect.Known.NONE;
        for (var taint : all) {
            taints.add(
                    Json.array(
                            Json.of(position),
                            Json.of(taint.effect().text()),
                            Json.of(text(taint))));
            if (taint.effect() == TaintEffect.Known.NO_EXECUTE) {
                strongest = TaintEffect.Known.NO_EXECUTE;
            } else if (taint.effect() == TaintEffect.Known.NO_SCHEDULE
                    && strongest == TaintEffect.Known.NONE) {
                strongest = TaintEffect.Known.NO_SCHEDULE;
            }
        }
        return strongest;
    }

    private static String text(DeviceTaint taint) {
        return taint.value().isEmpty() ? taint.key() : taint.key() + "=" + taint.value();
    }

    private boolean addProblem(Held one, int position) {
        var problem = ClaimStates.problem(one.claim, one.device.id());
        problem.ifPresent(text -> health.add(Json.array(Json.of(position), Json.of(text))));
        return problem.isPresent();
    }

    private char letter(DeviceUse use, TaintEffect effect, boolean isHealthy, List<Held> mine) {
        var isHeld = use == DeviceUse.IN_USE || use == DeviceUse.PARTLY_USED;
        if (effect == TaintEffect.Known.NO_EXECUTE) {
            return isHeld ? 'E' : 'X';
        }
        if (effect == TaintEffect.Known.NO_SCHEDULE) {
            return isHeld ? '!' : 'x';
        }
        if (!isHealthy) {
            return isHeld ? 'U' : 'u';
        }
        return switch (use) {
            case FREE -> knowsClaims ? '.' : '_';
            case BLOCKED -> '%';
            case PARTLY_USED -> '~';
            case IN_USE -> held(mine);
        };
    }

    private char held(List<Held> mine) {
        var owners = mine.stream().filter(one -> !one.device.isAdmin()).toList();
        if (owners.stream().anyMatch(one -> isAttaching(one))) {
            return 'a';
        }
        var isReserved =
                !owners.isEmpty() && owners.stream().allMatch(one -> claims.isReserved(one.claim));
        return isReserved ? 'h' : '#';
    }

    private boolean isAttaching(Held one) {
        return !one.device.bindingConditions().isEmpty() && claims.isAttaching(one.claim);
    }

    private void addHolder(Held one, int position, DeviceShape shape) {
        var holder = holders.id(one.claim);
        var last = holds.isEmpty() ? new int[] {-1, 0, -1} : holds.getLast();
        if (last[2] == holder && last[0] + last[1] == position) {
            last[1]++;
        } else if (last[2] != holder || last[0] + last[1] - 1 != position) {
            holds.add(new int[] {position, 1, holder});
        }
        for (var i = 0; i < shape.capacities().size(); i++) {
            var amount = one.device.consumedCapacity().get(shape.capacities().get(i).name());
            if (amount != null) {
                amounts.add(
                        Json.array(
                                Json.of(position),
                                Json.of(i),
                                Json.of(holder),
                                JsonLists.decimal(amount.asApproximateDouble())));
            }
        }
        if (isAttaching(one)) {
            var since =
                    one.claim
                            .status()
                            .allocation()
                            .flatMap(allocation -> allocation.allocationTimestamp())
                            .map(time -> time.getEpochSecond())
                            .orElse(0L);
            attach.add(
                    Json.array(
                            Json.of(position),
                            Json.of(holder),
                            Json.of(since),
                            Json.of(ClaimStates.BINDING_TIMEOUT.toSeconds())));
        }
    }

    private static String cells(List<CellUse> cells) {
        var text = new StringBuilder();
        for (var cell : cells) {
            text.append(
                    switch (cell) {
                        case FREE -> '.';
                        case BLOCKED -> '%';
                        case IN_USE -> '#';
                    });
        }
        return text.toString();
    }

    /// Adds the state to a row. Empty lists are left out.
    JsonObject addTo(JsonObject row) {
        var flat = new ArrayList<Json>();
        for (var run : holds) {
            for (var number : run) {
                flat.add(Json.of(number));
            }
        }
        var tree = row.with("state", Json.of(letters.toString()));
        var lists = new TreeMap<String, List<Json>>();
        lists.put("holds", flat);
        lists.put("units", units);
        lists.put("amounts", amounts);
        lists.put("taints", taints);
        lists.put("health", health);
        lists.put("attach", attach);
        for (var list : lists.entrySet()) {
            tree =
                    list.getValue().isEmpty()
                            ? tree
                            : tree.with(list.getKey(), Json.array(list.getValue()));
        }
        return tree;
    }
}
