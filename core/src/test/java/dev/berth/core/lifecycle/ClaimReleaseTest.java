package dev.berth.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimReleaseTest {

    private static final Codec CODEC = new Codec();
    private static final ClaimRelease.Owner NOBODY = new ClaimRelease.Owner.Unknown();
    private static final String PROTECTED =
            ", \"finalizers\": [\"resource.kubernetes.io/delete-protection\"]";
    private static final String GOING = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";
    private static final String OWNED =
            ", \"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"name\": \"p\","
                    + " \"uid\": \"1\", \"controller\": true}]";
    private static final String ALLOCATION = "\"allocation\": {\"devices\": {}}";

    private static ResourceClaim claim(String metadata, String status) {
        var json =
                "{\"metadata\": {\"name\": \"c\"%s}, \"spec\": {}, \"status\": {%s}}"
                        .formatted(metadata, status);
        return CODEC.readJson(
                        Kinds.RESOURCE_CLAIM,
                        "v1",
                        json.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private static String reserved(String... uids) {
        var users = new StringBuilder();
        for (var uid : uids) {
            users.append(users.isEmpty() ? "" : ",")
                    .append("{\"resource\": \"pods\", \"name\": \"p\", \"uid\": \"")
                    .append(uid)
                    .append("\"}");
        }
        return "\"reservedFor\": [" + users + "]";
    }

    private static Pod pod(String uid, String phase, String node) {
        var json =
                ("{\"metadata\": {\"name\": \"p\", \"uid\": \"%s\"}, \"spec\": {\"nodeName\":"
                                + " \"%s\", \"containers\": []}, \"status\": {\"phase\": \"%s\"}}")
                        .formatted(uid, node, phase);
        return CODEC.readJson(
                        Kinds.POD,
                        "v1",
                        json.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    @Test
    void reservationsOfGoneConsumersAreRemoved() {
        var claim = claim(PROTECTED, ALLOCATION + "," + reserved("1", "2"));

        var command = ClaimRelease.next(claim, one -> one.uid().value().equals("1"), NOBODY);

        var status = ((ClaimCommand.WriteStatus) command.orElseThrow()).claim().status();
        assertThat(status.reservedFor()).hasSize(1);
        assertThat(status.allocation()).isPresent();
    }

    @Test
    void removalOfTheLastConsumerDeallocates() {
        var claim = claim(PROTECTED, ALLOCATION + "," + reserved("1"));

        var command = ClaimRelease.next(claim, _ -> true, NOBODY).orElseThrow();

        assertThat(command).isInstanceOf(ClaimCommand.WriteStatus.class);
        assertThat(command.claim().status().allocation()).isEmpty();
        var next = ClaimRelease.afterRelease(command.claim()).orElseThrow();
        assertThat(next).isInstanceOf(ClaimCommand.Write.class);
        assertThat(next.claim().metadata().finalizers()).isEmpty();
    }

    @Test
    void claimThatWasNeverReservedStaysAllocated() {
        assertThat(ClaimRelease.next(claim(PROTECTED, ALLOCATION), _ -> true, NOBODY)).isEmpty();
    }

    @Test
    void claimAboutToBeAllocatedKeepsItsFinalizer() {
        assertThat(ClaimRelease.next(claim(PROTECTED, ""), _ -> true, NOBODY)).isEmpty();
    }

    @Test
    void deletedClaimIsDeallocatedThenLosesItsFinalizer() {
        var full = claim(PROTECTED + GOING, ALLOCATION);
        var emptied = ClaimRelease.next(full, _ -> true, NOBODY).orElseThrow();

        assertThat(emptied).isInstanceOf(ClaimCommand.WriteStatus.class);
        assertThat(ClaimRelease.next(emptied.claim(), _ -> true, NOBODY))
                .get()
                .isInstanceOf(ClaimCommand.Write.class);
    }

    @Test
    void claimIsDeletedWithItsPodOrWhenAnotherPodHasItsName() {
        var claim = claim(OWNED, "");
        var done = new ClaimRelease.Owner.Known(pod("1", "Succeeded", "n"));
        var other = new ClaimRelease.Owner.Known(pod("2", "Running", "n"));
        var alive = new ClaimRelease.Owner.Known(pod("1", "Running", "n"));

        assertThat(ClaimRelease.next(claim, _ -> false, done))
                .get()
                .isInstanceOf(ClaimCommand.Delete.class);
        assertThat(ClaimRelease.next(claim, _ -> false, other))
                .get()
                .isInstanceOf(ClaimCommand.Delete.class);
        assertThat(ClaimRelease.next(claim, _ -> false, alive)).isEmpty();
        assertThat(ClaimRelease.next(claim, _ -> false, NOBODY)).isEmpty();
    }

    @Test
    void onlyBoundPodsGetReservations() {
        var claim = claim("", ALLOCATION);

        assertThat(ClaimRelease.reservation(pod("1", "Pending", ""), claim, false)).isEmpty();
        assertThat(ClaimRelease.reservation(pod("1", "Failed", "n"), claim, false)).isEmpty();
        assertThat(ClaimRelease.reservation(pod("1", "Pending", "n"), claim, true)).isEmpty();
        assertThat(
                        ClaimRelease.reservation(pod("1", "Pending", "n"), claim, false)
                                .map(one -> one.claim().status().reservedFor().size()))
                .isEqualTo(Optional.of(1));
    }

    @Test
    void aReservationForThePodGroupCoversItsPods() {
        var group =
                "\"reservedFor\": [{\"resource\": \"podgroups\", \"name\": \"g\", \"uid\": \"7\"}]";
        var claim = claim("", ALLOCATION + ", " + group);
        var json =
                "{\"metadata\": {\"name\": \"p\", \"uid\": \"1\"}, \"spec\": {\"nodeName\": \"n\","
                        + " \"containers\": [], \"schedulingGroup\": {\"podGroupName\": \"g\"}}}";
        var member =
                CODEC.readJson(
                                Kinds.POD,
                                "v1",
                                json.getBytes(StandardCharsets.UTF_8),
                                UnknownFieldPolicy.LENIENT)
                        .orThrow();

        assertThat(ClaimRelease.reservation(member, claim, false)).isEmpty();
        assertThat(ClaimRelease.reservation(pod("1", "Pending", "n"), claim, false)).isPresent();
    }
}
