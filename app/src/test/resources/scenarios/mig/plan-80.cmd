COLUMNS=80 plan -f ./cluster.yaml -f ./workload.yaml --replicas 30
