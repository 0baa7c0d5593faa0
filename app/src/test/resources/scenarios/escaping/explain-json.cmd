explain claim/gpu -f ./cluster.yaml -o json
