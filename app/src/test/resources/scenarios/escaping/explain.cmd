explain claim/gpu -f ./cluster.yaml
