explain -f ./cluster.yaml -f ./workloads.yaml -n ml replicaset/inference-7d9f
