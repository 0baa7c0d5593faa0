plan -f ./cluster.yaml -f ./workload.yaml
