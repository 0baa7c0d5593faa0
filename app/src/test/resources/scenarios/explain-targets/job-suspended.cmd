explain -f ./cluster.yaml -f ./workloads.yaml -n ml jobs held
