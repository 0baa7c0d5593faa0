package dev.berth.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Patching;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.ServedKind.Column;
import dev.berth.schema.ServedKind.Flag;
import dev.berth.server.schema.SampleObjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemasTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();

    private static final String META =
            """
            package io.k8s.apimachinery.pkg.apis.meta v1
            type ObjectMeta
              name string
            """;

    private static final String GADGET =
            """
            group g.io
            package p v1 v1beta1

            kind Gadget
              @served gadgets namespaced status returns-object
              @short gd g
              @categories all
              @verbs get list
              @stored
              @select spec.x
              @column "Two Words" string {.spec.a}
                + /{.spec.b} else - : What it is
              @wide Images string {.spec.i}
              @age
              spec! GadgetSpec (immutable)

            type GadgetSpec
              @one-of a b
              a string (required, enum X Y, length 3, format dns-label) = "X"
              b [int32 set] (items 2, min 1, max 5, no-update)
            """;

    @ParameterizedTest
    @CsvSource({
        "'', v1, 'Namespace Node Pod Event ConfigMap Secret ServiceAccount ResourceQuota LimitRange"
                + " PersistentVolume PersistentVolumeClaim Service Endpoints Binding PodTemplate"
                + " Status DeleteOptions Table'",
        "resource.k8s.io, v1,"
                + " DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice DeviceTaintRule",
        "resource.k8s.io, v1beta2,"
                + " DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice DeviceTaintRule",
        "resource.k8s.io, v1beta1, DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice",
        "resource.k8s.io, v1alpha3, DeviceTaintRule ResourcePoolStatusRequest",
        "apps, v1, Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision",
        "batch, v1, Job CronJob",
        "policy, v1, PodDisruptionBudget Eviction",
        "events.k8s.io, v1, Event",
        "coordination.k8s.io, v1, Lease",
        "scheduling.k8s.io, v1, PriorityClass",
        "scheduling.k8s.io, v1beta1, PodGroup Workload",
        "storage.k8s.io, v1, StorageClass CSINode CSIDriver VolumeAttachment",
        "discovery.k8s.io, v1, EndpointSlice",
        "node.k8s.io, v1, RuntimeClass",
        "rbac.authorization.k8s.io, v1, Role RoleBinding ClusterRole ClusterRoleBinding",
        "certificates.k8s.io, v1, CertificateSigningRequest",
        "authentication.k8s.io, v1, TokenReview SelfSubjectReview TokenRequest",
        "authorization.k8s.io, v1, SubjectAccessReview LocalSubjectAccessReview"
                + " SelfSubjectAccessReview SelfSubjectRulesReview",
        "autoscaling, v1, Scale",
        "apiextensions.k8s.io, v1, CustomResourceDefinition"
    })
    void everyKindHasASchema(String group, String version, String kinds) {
        for (var kind : kinds.split(" ", -1)) {
            assertThat(SCHEMAS.kind(group, version, kind)).as(kind).isPresent();
        }
    }

    @Test
    void everyReferencedTypeExists() {
        var seen = new HashSet<String>();
        SCHEMAS.all().forEach(struct -> visit(struct, seen));

        assertThat(seen).hasSizeGreaterThan(400);
    }

    private static void visit(SchemaType type, Set<String> seen) {
        switch (type) {
            case Struct struct -> {
                if (seen.add(struct.name())) {
                    struct.fields().all().forEach(field -> visit(field.type(), seen));
                }
            }
            case ListOf list -> {
                if (list.merge() instanceof Merge.ByKeys(var keys)) {
                    assertThat(names(list.item())).as("keys").containsAll(keys);
                }
                if (!list.patchKey().isEmpty()) {
                    assertThat(names(list.item())).as("patch key").contains(list.patchKey());
                }
                visit(list.item(), seen);
            }
            case MapOf map -> visit(map.value(), seen);
            case Scalar _ -> {}
        }
    }

    private static List<String> names(SchemaType item) {
        var names = new ArrayList<String>();
        if (item instanceof Struct struct) {
            struct.fields().all().forEach(field -> names.add(field.name()));
        }
        return names;
    }

    @Test
    void mappedKindsHaveTheTypesOfTheSchema() {
        var codec = new Codec();
        for (var kind : Kinds.all()) {
            for (var version : kind.versions()) {
                var struct = SCHEMAS.kind(kind.group(), version, kind.name()).orElseThrow();
                var sample = SampleObjects.full(struct);

                assertThat(codec.problems(kind, version, sample))
                        .as(kind + " in " + version)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Pod, spec.containers, name, name, false",
        "Pod, spec.volumes, name, name, true",
        "Pod, spec.resourceClaims, name, name, true",
        "Pod, spec.containers.ports, containerPort protocol, containerPort, false",
        "Pod, spec.containers.env, name, name, false",
        "Pod, spec.containers.volumeMounts, mountPath, mountPath, false",
        "Pod, spec.imagePullSecrets, name, name, false",
        "Pod, spec.tolerations, '', '', false",
        "Pod, status.conditions, type, type, false",
        "Pod, metadata.ownerReferences, uid, uid, false",
        "Service, spec.ports, port protocol, port, false",
        "Node, status.addresses, type, type, false",
    })
    void listsAreMergedAsInKubernetes(
            String kind, String path, String keys, String patchKey, boolean retain) {
        var list = (ListOf) type(SCHEMAS.kind("", "v1", kind).orElseThrow(), path);

        assertThat(list.merge() instanceof Merge.ByKeys(var by) ? String.join(" ", by) : "")
                .isEqualTo(keys);
        assertThat(list.patchMerges()).isEqualTo(!patchKey.isEmpty());
        assertThat(list.patchKey()).isEqualTo(patchKey);
        assertThat(list.retainKeys()).isEqualTo(retain);
    }

    private static SchemaType type(SchemaType from, String path) {
        var type = from;
        for (var step : path.split("\\.", -1)) {
            var struct = (Struct) (type instanceof ListOf list ? list.item() : type);
            type =
                    struct.fields().all().stream()
                            .filter(field -> field.name().equals(step))
                            .findFirst()
                            .orElseThrow()
                            .type();
        }
        return type;
    }

    @Test
    void finalizersAreASetThatPatchesMerge() {
        var list =
                (ListOf) type(SCHEMAS.kind("", "v1", "Pod").orElseThrow(), "metadata.finalizers");

        assertThat(list).isEqualTo(new ListOf(Scalar.STRING, new Merge.AsSet(), true, "", false));
    }

    @Test
    void theStrategyOfADeploymentRetainsKeys() {
        var spec = SCHEMAS.struct("io.k8s.api.apps.v1.DeploymentSpec");

        assertThat(spec.fields().all())
                .filteredOn(field -> field.patching() == Patching.RETAIN_KEYS)
                .extracting(SchemaType.Field::name)
                .containsExactly("strategy");
    }

    @Test
    void schemaTextDefinesTypes() {
        var schemas =
                Schemas.of(
                        List.of(
                                """
                                group example.com
                                package com.example v1 v2
                                # Nothing here.
                                type Thing atomic : A thing
                                  : of two lines.
                                  name! string = "a" : Its name.
                                  parts [Thing by name patch name retain]
                                  words [string set patch]
                                  sizes {quantity atomic}
                                  lists {[int32]}
                                  other Thing granular
                                """));

        var thing = schemas.struct("com.example.v2.Thing");

        assertThat(thing.description()).isEqualTo("A thing of two lines.");
        assertThat(thing.atomic()).isTrue();
        var fields = thing.fields().all();
        assertThat(fields.getFirst().required()).isTrue();
        assertThat(fields.getFirst().initial()).contains(Json.of("a"));
        assertThat(fields.get(1).type())
                .isEqualTo(
                        new ListOf(thing, new Merge.ByKeys(List.of("name")), true, "name", true));
        assertThat(fields.get(2).type())
                .isEqualTo(new ListOf(Scalar.STRING, new Merge.AsSet(), true, "", false));
        assertThat(fields.get(3).type()).isEqualTo(new MapOf(Scalar.QUANTITY, true));
        assertThat(fields.get(4).type())
                .isEqualTo(
                        new MapOf(
                                new ListOf(Scalar.INT32, new Merge.Atomic(), false, "", false),
                                false));
        assertThat(((Struct) fields.get(5).type()).atomic()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "thing Foo | unknown statement",
                "type Foo;  bar | without type",
                "type Foo;  bar [string | no closing",
                "type Foo;  bar string loud | only named types",
                "type Foo;  bar Bar | there is no type com.example.v1.Bar",
                "type Foo;  bar other.Bar | no import for",
                "type Foo;  bar string;  bar string | described twice",
                "type Foo;type Foo | defined twice",
                "type Foo;  include Bars | no fields to include"
            })
    void malformedSchemaIsRejected(String lines, String why) {
        var text = "package com.example v1\n" + lines.strip().replace(";", "\n");

        assertThatThrownBy(() ->
                        Schemas.of(List.of(text)).all().forEach(struct -> struct.fields().all()))
                .hasMessageContaining(why);
    }

    @Test
    void typesIncludeSharedFields() {
        var schemas =
                Schemas.of(
                        List.of(
                                """
                                package com.example v1
                                fields Limits
                                  min int32
                                  max int32
                                type Range
                                  name! string
                                  include Limits
                                  step int32
                                """));

        assertThat(schemas.struct("com.example.v1.Range").fields().all())
                .extracting(SchemaType.Field::name)
                .containsExactly("name", "min", "max", "step");
    }

    @Test
    void schemaTextDefinesServedKinds() {
        var schemas = Schemas.of(List.of(META, GADGET));
        var kind = schemas.served().getFirst();
        assertThat(kind.versions()).containsExactly("v1", "v1beta1");
        assertThat(kind.plural()).isEqualTo("gadgets");
        assertThat(kind.flags())
                .containsExactlyInAnyOrder(Flag.NAMESPACED, Flag.STATUS, Flag.RETURNS_OBJECT);
        assertThat(kind.shortNames()).containsExactly("gd", "g");
        assertThat(kind.verbs()).containsExactly("get", "list");
        assertThat(kind.storedOnly())
                .isEqualTo("Berth stores Gadget objects; no controller acts on them");
        assertThat(kind.columns())
                .containsExactly(
                        new Column(
                                "Two Words",
                                "string",
                                "{.spec.a}/{.spec.b} else -",
                                "What it is",
                                false),
                        new Column("Images", "string", "{.spec.i}", "", true),
                        new Column(
                                "Age",
                                "string",
                                "{.metadata.creationTimestamp|age}",
                                "Time since creation",
                                false));
    }

    @Test
    void schemaTextDefinesConstraints() {
        var schemas = Schemas.of(List.of(META, GADGET));
        var fields = schemas.struct("p.v1.GadgetSpec").fields();
        assertThat(fields.unions()).containsExactly(new FieldUnion(List.of("a", "b"), true));
        var a = Objects.requireNonNull(fields.named("a"));
        assertThat(a.initial()).contains(Json.of("X"));
        assertThat(a.constraints().values()).containsExactly("X", "Y");
        assertThat(a.constraints().format()).isEqualTo("dns-label");
        assertThat(a.constraints().required()).isTrue();
        var b = Objects.requireNonNull(fields.named("b")).constraints();
        assertThat(b.maxItems()).isEqualTo(2);
        assertThat(b.max()).hasValue(5);
        assertThat(b.changes()).isEqualTo(FieldConstraints.Changes.FORBIDDEN);
    }

    @ParameterizedTest
    @CsvSource({"a string (odd 3)", "a string (min 1", "@odd x", "@served gadgets odd"})
    void unknownWordsAreRejected(String line) {
        assertThatThrownBy(
                        () -> {
                            var schemas =
                                    Schemas.of(
                                            List.of(
                                                    META,
                                                    "package p v1\nkind K\n  %s\n"
                                                            .formatted(line)));
                            schemas.struct("p.v1.K").fields().all();
                        })
                .isInstanceOf(IllegalArgumentException.class);
    }
}
