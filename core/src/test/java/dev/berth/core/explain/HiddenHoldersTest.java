package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HiddenHoldersTest {

    @Test
    void claimsOfOtherNamespacesAreNotNamed() {
        assertThat(text("a/one", "b/two"))
                .isEqualTo("claim a/one and a claim in another namespace");
        assertThat(text("b/two")).isEqualTo("a claim in another namespace");
        assertThat(text("b/two", "c/three")).isEqualTo("2 claims in other namespaces");
        assertThat(text("a/one", "a/two")).isEqualTo("claims a/one, a/two");
    }

    private static String text(String... claims) {
        var objects = Stream.of(claims).map(HiddenHoldersTest::claim).toList();
        return ExplanationWording.claims(
                HiddenHolders.outside("a", objects).stream().map(KubernetesObject::ref).toList());
    }

    private static ResourceClaim claim(String name) {
        var ref = new ObjectRef(name.substring(0, 1), name.substring(2));
        return new ResourceClaim(
                ObjectMeta.of(ref.namespace(), ref.name()),
                new ResourceClaimSpec(List.of(), List.of(), List.of()),
                ResourceClaimStatus.EMPTY);
    }
}
