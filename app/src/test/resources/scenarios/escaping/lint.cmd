lint ./cluster.yaml
