package dev.berth.server.clients;

/// Objects that several tests create.
final class Manifests {

    static final String NODE =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {zone: a}}
            status:
              capacity: {cpu: "4", memory: 8Gi, pods: "110"}
              allocatable: {cpu: "4", memory: 8Gi, pods: "110"}
              conditions: [{type: Ready, status: "True"}]
            """;

    static final String CLAIMS =
            """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.example.com}
            spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: claim}
            spec:
              devices:
                requests: [{name: r, exactly: {deviceClassName: gpu.example.com}}]
            ---
            apiVersion: resource.k8s.io/v1beta1
            kind: ResourceClaim
            metadata: {name: old-claim}
            spec: {devices: {requests: [{name: r, deviceClassName: gpu.example.com}]}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: slice}
            spec:
              driver: gpu.example.com
              nodeName: n1
              pool: {name: n1, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            """;

    static final String DEPLOYMENT =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - {name: main, image: "main:1"}
                  - {name: side, image: "side:1"}
            """;

    static final String WIDGETS =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
                additionalPrinterColumns:
                - {name: Size, type: integer, jsonPath: .spec.size}
                - {name: Phase, type: string, jsonPath: .status.phase}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer, minimum: 1, description: How large it is.}
                          color: {type: string, default: red, enum: [red, blue]}
                      status:
                        type: object
                        properties: {phase: {type: string}, size: {type: integer}}
            """;

    static final String WIDGET =
            """
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: w}
            spec: {size: 3}
            """;

    private Manifests() {}
}
