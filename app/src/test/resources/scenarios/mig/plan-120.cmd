COLUMNS=120 plan -f ./cluster.yaml -f ./workload.yaml --replicas 30
